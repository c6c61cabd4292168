"""Work trees that cannot be written, or are not what was read or committed."""

from __future__ import annotations

import json
import shlex
from pathlib import Path
from typing import Final

import pytest

from tests import permissions
from tests.bad_input.on_path import git_that_first
from tests.cli.desk import MAY_LOCK, OLD, OLD_APP, SOAKED, Capture, Desk, New
from tests.cli.estates import BOTH, POLICY, TABLE, Files, reader, run

OTHER = TABLE.replace("net.tf", "b.tf")


@pytest.mark.parametrize(
    ("meanwhile", "why"),
    [
        ("echo '# more' >> {file}", "changed since it was read"),
        ("rm -f {file}", "vanished meanwhile"),
        ("ln -sf /dev/null {file}", "is reached over a symlink"),
    ],
)
def test_a_file_that_changed_between_reading_and_writing_keeps_what_it_says_now(
    meanwhile: str, why: str, new_repo: New, capsys: Capture, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    repo = new_repo("net", {"a/main.tf": TABLE, "b/main.tf": OTHER})
    git_that_first(meanwhile.format(file=shlex.quote(str(repo.path / "b/main.tf"))), tmp_path, monkeypatch)
    ran = run(capsys, "edit", "--phase", "dual-lock", "--write", repo.path)
    said = f"tfrelock: git.acme.example/acme/net b/main.tf: {why}; nothing was written here\n"
    assert (ran.code, said in ran.err) == (5, True), ran.err
    assert (repo.path / "a/main.tf").read_text() == TABLE, "all files of a repository or none"


def test_a_read_only_tree_is_said_and_nothing_is_written(new_repo: New, capsys: Capture) -> None:
    repo = new_repo("net", {"a/main.tf": TABLE, "b/main.tf": OTHER})
    (repo.path / "b").chmod(0o555)
    with permissions.binding():
        ran = run(capsys, "edit", "--phase", "dual-lock", "--write", repo.path)
    (repo.path / "b").chmod(0o755)
    said = "tfrelock: git.acme.example/acme/net b/main.tf: permission denied; nothing was written here\n"
    assert (ran.code, said in ran.err) == (5, True), ran.err
    assert repo.git("status", "--porcelain") == ""


def test_in_a_dirty_tree_what_stands_there_is_audited_and_edited(new_repo: New, capsys: Capture) -> None:
    repo = new_repo("net", {"main.tf": OLD})
    repo.write({"main.tf": TABLE})
    audit = run(capsys, "audit", "--format", "json", repo.path)
    assert (audit.code, json.loads(audit.out)["repositories"][0]["dirty"]) == (0, True)
    edit = run(capsys, "edit", "--phase", "dual-lock", "--write", repo.path)
    assert (edit.code, edit.err.splitlines()[-1]) == (0, "wrote 1 file in git.acme.example/acme/net")
    assert (repo.path / "main.tf").read_text() == BOTH


@pytest.mark.parametrize(
    "written",
    [
        {"net/main.tf": f"{OLD}# more\n"},
        {"net/.terraform-version": "1.9.8\n"},
        {"net/terragrunt.stack.hcl": 'unit "vpc" {\n  source = "../vpc"\n  path = "vpc"\n}\n'},
    ],
)
def test_what_is_judged_by_files_that_are_not_committed_is_not_offered(
    written: Files, desk: Desk, new_repo: New
) -> None:
    repo = new_repo("net", {"net/main.tf": OLD})
    repo.write({**written, "notes.md": "dynamodb_table\n"})
    ran = desk.made(repo, config=MAY_LOCK)
    [path] = written
    said = f"not made: {path} is not as it is committed, and gates are judged on what stands here"
    assert (ran.code, f"tfrelock/default {said} → commit it or put it aside, run again\n" in ran.out) == (
        5,
        True,
    )
    assert repo.git("branch", "--list", "tfrelock/*") == ""


GONE: Final = "app/main.tf is not as it is committed, and gates are judged on what stands here"


@pytest.mark.parametrize("stands", [None, "# it read the state\n"])
def test_a_committed_reader_that_is_not_here_any_more_opens_no_gate(
    stands: str | None, desk: Desk, new_repo: New
) -> None:
    repo = new_repo("net", {"net/main.tf": BOTH, "app/main.tf": reader()})
    (repo.path / "app/main.tf").unlink()
    repo.write({"app/main.tf": stands} if stands else {})
    ran = desk.made(repo, config=SOAKED)
    assert (ran.code, desk.pages()) == (5, [])
    assert f"net tfrelock/default not made: {GONE} → commit it or put it aside, run again\n" in ran.out


def test_what_a_neighbour_has_not_committed_opens_no_gate(desk: Desk, new_repo: New) -> None:
    """Nor does it keep anything back that asks for no gate."""
    net = new_repo("net", {"net/main.tf": BOTH, "old/main.tf": OLD_APP})
    app = new_repo("app", {"app/main.tf": reader()})
    (app.path / "app/main.tf").unlink()
    ran = desk.made(net, app.path, config=SOAKED)
    said = f"net tfrelock/default/finish not made: git.acme.example/acme/app: {GONE} → "
    assert (ran.code, said in ran.out) == (5, True), ran.out
    assert desk.pages() == ["git.acme.example/acme/net/prepare.md"]


def test_a_policy_that_git_ignores_is_not_edited(new_repo: New, capsys: Capture) -> None:
    repo = new_repo("net", {"main.tf": TABLE, ".gitignore": "role.json\n"})
    repo.write({"role.json": POLICY})
    ran = run(capsys, "edit", "--phase", "iam", "--write", repo.path)
    assert (ran.code, (repo.path / "role.json").read_text()) == (5, POLICY)
    assert "git ignores this file: it is local → edit it by hand" in ran.err
