"""Files that git ignores: they make a client of this machine, and neither complete nor hide what all have."""

from __future__ import annotations

import json
from typing import Final

import pytest

from tests.cli.desk import SOAKED, Capture, New
from tests.cli.estates import BOTH, LOCKFILE, TABLE, backend, run

LOCAL: Final = 'terraform {\n  backend "local" {}\n}\n'
BOUNDLESS: Final = TABLE.replace('  required_version = ">= 1.11.0"\n\n', "")
BELOW: Final = 'terraform {\n  required_version = ">= 1.5"\n}\n'
ABOVE: Final = BELOW.replace("1.5", "1.11")
OTHER: Final = backend("use_lockfile   = true", key="mine.tfstate")


@pytest.mark.parametrize(
    ("name", "text", "locks"),
    [
        ("mine.tfbackend", "use_lockfile = true\n", ["both", "table"]),
        ("override.tf", BOTH, ["both", "table"]),
        ("override.tf", LOCKFILE, ["lockfile", "table"]),
        ("override.tf", OTHER, ["table"]),
        ("override.tf", LOCAL, ["table"]),
        ("notes.txt", "dynamodb_table\n", ["table"]),
    ],
)
def test_what_git_ignores_opens_no_gate_of_what_is_committed(
    name: str, text: str, locks: list[str], new_repo: New, capsys: Capture
) -> None:
    repo = new_repo("net", {"a/main.tf": TABLE, "b/main.tf": BOTH, ".gitignore": f"a/{name}\n"})
    (repo.path / "a" / name).write_text(text)
    states = json.loads(run(capsys, "audit", "--format", "json", repo.path).out)["states"]
    written = next(state for state in states if state["id"] == "s3://acme-state/net.tfstate")
    assert sorted(one["lock"] for one in written["backends"] if one["root"] == "a") == locks
    (repo.path.parent / "operator.yaml").write_text(SOAKED)
    retire = ("edit", "--phase", "retire", "--force", "now", "--config", repo.path.parent / "operator.yaml")
    ran = run(capsys, *retire, repo.path)
    assert (ran.code, ran.out, "a/main.tf:4 locks with the table only" in ran.err) == (4, "", True)


def test_a_client_of_this_machine_still_counts(new_repo: New, capsys: Capture) -> None:
    repo = new_repo("net", {"a/main.tf": BOTH, ".gitignore": "mine/\n"})
    (repo.path / "mine").mkdir()
    (repo.path / "mine/main.tf").write_text(TABLE)
    ran = run(capsys, "edit", "--phase", "retire", "--force", "now", repo.path)
    assert (ran.code, "mine/main.tf:4 locks with the table only" in ran.err) == (4, True)


@pytest.mark.parametrize(
    ("committed", "name", "text", "raised"),
    [
        ({"a/main.tf": BELOW}, "a/versions_override.tf", ABOVE, "a/main.tf"),
        ({"a/main.tf": BELOW}, "a/more.tf", ABOVE, "a/main.tf"),
        ({}, "a/versions_override.tf", ABOVE, "a/backend.tf"),
        (
            {"a/main.tf": ABOVE, ".terraform-version": "1.9.8\n"},
            "a/.terraform-version",
            "1.11.4\n",
            ".terraform-version",
        ),
    ],
)
def test_what_git_ignores_hides_no_release_that_is_committed(
    committed: dict[str, str], name: str, text: str, raised: str, new_repo: New, capsys: Capture
) -> None:
    repo = new_repo("net", {"a/backend.tf": BOUNDLESS, **committed, ".gitignore": f"{name}\n"})
    (repo.path / name).write_text(text)
    ran = run(capsys, "edit", "--phase", "pin", repo.path)
    assert (ran.code, ran.out.count("+++ "), f"+++ b/{raised}\n" in ran.out) == (0, 1, True)
