"""`tfrelock edit --phase retire`: what its gates hold back, and what no reason opens."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from tests.cli.estates import BOTH, TABLE, UNLOCKED, Files, backend, reader, run
from tests.cli.test_edit import changed
from tests.repo import Repo

New = Callable[[str, Files], Repo]
Capture = pytest.CaptureFixture[str]


def test_retire_is_held_while_a_writer_locks_in_the_table_only(new_repo: New, capsys: Capture) -> None:
    repos = [new_repo("net", {"main.tf": BOTH}), new_repo("app", {"main.tf": TABLE})]
    ran = run(capsys, "edit", "--phase", "retire", *(repo.path for repo in repos))
    assert (ran.out, ran.code) == ("", 4)
    assert "gate writers-dual closed" in ran.err


def test_what_is_held_is_named_for_programs_and_is_no_refusal(new_repo: New, capsys: Capture) -> None:
    repo = new_repo("net", {"main.tf": BOTH})
    said = json.loads(run(capsys, "edit", "--phase", "retire", "--format", "json", repo.path).out)
    place = {"repository": "git.acme.example/acme/net", "path": "main.tf", "line": 4}
    why = {"why": "a gate of retire is not open", "remedy": "tfrelock plan"}
    assert (said["held"], said["refusals"]) == ([place | why], [])


def test_retire_is_held_while_a_reader_names_the_table(new_repo: New, capsys: Capture) -> None:
    repos = [new_repo("net", {"main.tf": BOTH}), new_repo("app", {"remote.tf": reader()})]
    ran = run(capsys, "edit", "--phase", "retire", *(repo.path for repo in repos))
    assert (ran.out, ran.code) == ("", 4)
    assert "gate readers-safe closed" in ran.err


def test_retire_is_unknown_until_people_say_what_source_cannot_show(new_repo: New, capsys: Capture) -> None:
    repo = new_repo("net", {"main.tf": BOTH})
    assert run(capsys, "edit", "--phase", "retire", repo.path).code == 6


def test_force_opens_what_nobody_said(new_repo: New, capsys: Capture) -> None:
    repo = new_repo("net", {"main.tf": BOTH})
    ran = run(capsys, "edit", "--phase", "retire", "--force", "soaked in June", "--write", repo.path)
    assert ran.code == 0
    assert "forced: soaked in June" in ran.err
    text = (repo.path / "main.tf").read_text()
    assert "dynamodb_table" not in text
    assert "use_lockfile = true" in text


UNIT = """\
remote_state {
  backend = "s3"
  config = {
    bucket         = "acme-state"
    key            = "net.tfstate"
    region         = "eu-west-1"
    dynamodb_table = "acme-locks"
    use_lockfile   = true
    dynamodb_table_tags = {
      owner = "platform"
    }
  }
}
"""
RETIRED = """\
remote_state {
  backend = "s3"
  config = {
    bucket       = "acme-state"
    key          = "net.tfstate"
    region       = "eu-west-1"
    use_lockfile = true
  }
}
"""


def test_the_tags_of_a_table_go_with_it(new_repo: New, capsys: Capture) -> None:
    repo = new_repo("net", {"terragrunt.hcl": UNIT})
    assert run(capsys, "edit", "--phase", "retire", "--force", "now", "--write", repo.path).code == 0
    assert (repo.path / "terragrunt.hcl").read_text() == RETIRED


@pytest.mark.parametrize("other", [TABLE, UNLOCKED, backend("use_lockfile   = var.on")])
def test_force_never_makes_a_lockfile_only_writer_beside_another_one(
    other: str, new_repo: New, capsys: Capture
) -> None:
    repos = [new_repo("net", {"main.tf": BOTH}), new_repo("app", {"main.tf": other})]
    ran = run(capsys, "edit", "--phase", "retire", "--force", "now", *(repo.path for repo in repos))
    assert (ran.out, ran.code) == ("", 4 if other in (TABLE, UNLOCKED) else 6)
    assert "main.tf:4: not every writer of this state is known to hold both locks" in ran.err


@pytest.mark.parametrize(
    ("phase", "why", "said"),
    [
        ("retire", " ", "--force needs a reason"),
        ("dual-lock", "now", "--force opens gates of retire"),
        ("pin", "now", "--force opens gates of retire"),
    ],
)
def test_force_is_for_retire_and_has_a_reason(
    phase: str, why: str, said: str, new_repo: New, capsys: Capture
) -> None:
    repo = new_repo("net", {"main.tf": BOTH})
    ran = run(capsys, "edit", "--phase", phase, "--force", why, repo.path)
    assert (ran.out, ran.code) == ("", 64)
    assert said in ran.err


@pytest.mark.parametrize(
    "other", [f"# caf\xe9\n{TABLE}".encode("latin-1"), TABLE.replace('"net.tfstate"', 'net.tfstate"')]
)
def test_force_never_passes_a_file_that_may_hold_a_writer_and_was_not_read(
    other: str | bytes, new_repo: New, capsys: Capture
) -> None:
    repos = [new_repo("net", {"main.tf": BOTH}), new_repo("app", {"old/main.tf": other})]
    asked = ("edit", "--phase", "retire", "--force", "now", *(repo.path for repo in repos))
    ran = run(capsys, *asked)
    assert ran.out == ""
    assert ran.code == (5 if isinstance(other, bytes) else 6)
    assert "acme/app old/main.tf:" in ran.err
    assert "may write this state, and was not read: " in ran.err
    left_out = run(capsys, *asked, "--exclude", "old")
    assert changed(left_out.out)


@pytest.mark.parametrize("command", ["edit", "propose"])
def test_retire_does_not_say_that_nothing_is_to_do_where_nobody_knows_what_init_is_given(
    command: str, new_repo: New, capsys: Capture
) -> None:
    repo = new_repo("net", {"main.tf": 'terraform {\n  backend "s3" {}\n}\n'})
    ran = run(capsys, command, "--phase", "retire", "--force", "now", repo.path)
    assert (ran.out, ran.code) == ("", 6)
    assert "gate writers-dual unknown" in ran.err


@pytest.mark.parametrize("waiting", ["dev", "prod"])
def test_a_block_that_serves_two_states_waits_for_both(waiting: str, new_repo: New, capsys: Capture) -> None:
    lines = ('dynamodb_table = "acme-locks"', "use_lockfile   = true")
    shared = 'terraform {\n  backend "s3" {\n    ' + "\n    ".join(lines) + "\n  }\n}\n"
    keys = {
        f"{name}.tfbackend": f'bucket = "acme-state"\nkey    = "{name}.tfstate"\n' for name in ("dev", "prod")
    }
    net = new_repo("net", {"main.tf": shared, **keys})
    other = new_repo("app", {"main.tf": backend(key=f"{waiting}.tfstate")})
    alone = run(capsys, "edit", "--phase", "retire", "--force", "now", net.path)
    assert '-    dynamodb_table = "acme-locks"' in changed(alone.out)
    beside = run(capsys, "edit", "--phase", "retire", "--force", "now", net.path, other.path)
    assert beside.out == ""
