"""Checkouts on no branch and without a remote, remotes that refuse, and machines without a program."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TypeAlias

import pytest

from tests.bad_input.forges import bare_of, offered
from tests.cli.desk import SOAKED, Capture, Desk, New
from tests.cli.estates import BOTH, TABLE, run
from tests.cli.test_reinit import initialised
from tests.forges.sites import Site
from tests.repo import Repo


def test_a_detached_head_without_a_remote_is_edited_all_the_same(new_repo: New, capsys: Capture) -> None:
    repo = new_repo("net", {"main.tf": TABLE})
    repo.git("remote", "remove", "origin")
    repo.git("checkout", "--quiet", "--detach")
    ran = run(capsys, "edit", "--phase", "dual-lock", "--write", repo.path)
    assert (ran.code, ran.err.splitlines()[-1]) == (0, "wrote 1 file in net")
    assert (repo.path / "main.tf").read_text() == BOTH


def test_a_refused_push(desk: Desk, clone: Repo, forge: Site) -> None:
    hook = bare_of(forge) / "hooks/pre-receive"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text("#!/bin/sh\necho 'acme: branches begin with team/' >&2\nexit 1\n")
    hook.chmod(0o755)
    ran = offered(desk, forge, clone)
    assert ran.code == 5
    assert (
        " not made: the push was refused: [remote rejected] (pre-receive hook declined); "
        "remote: acme: branches begin with team/ → " in ran.out
    )
    assert forge.opened == []


def test_a_repository_without_a_remote(desk: Desk, clone: Repo, forge: Site) -> None:
    clone.git("remote", "remove", "origin")
    ran = offered(desk, forge, clone)
    assert (ran.code, " not made: this repository is not on this forge → " in ran.out) == (5, True), ran.out


OffPath: TypeAlias = Callable[[], None]


@pytest.fixture
def off_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> OffPath:
    """Takes every program off PATH, once the repository of the test is made."""
    (tmp_path / "empty").mkdir()
    return lambda: monkeypatch.setenv("PATH", str(tmp_path / "empty"))


def test_without_git_an_audit_is_whole(new_repo: New, capsys: Capture, off_path: OffPath) -> None:
    repo = new_repo("net", {"main.tf": TABLE})
    wanted = run(capsys, "audit", repo.path)
    off_path()
    assert run(capsys, "audit", repo.path) == wanted
    assert (wanted.code, wanted.err) == (0, "")


def test_without_git_no_commits_are_compared(new_repo: New, capsys: Capture, off_path: OffPath) -> None:
    repo = new_repo("net", {"main.tf": TABLE})
    off_path()
    ran = run(capsys, "audit", "--base", "main", repo.path)
    assert (ran.code, ran.err) == (1, f"tfrelock: {repo.path}: git is not installed\n  try: install git\n")


@pytest.mark.parametrize("command", [["edit", "--phase", "dual-lock", "--write"], ["propose"]])
def test_without_git_nobody_knows_which_files_are_ignored(
    command: list[str], new_repo: New, capsys: Capture, off_path: OffPath
) -> None:
    repo = new_repo("net", {"main.tf": TABLE})
    off_path()
    ran = run(capsys, *command, repo.path)
    said = "main.tf:4: git does not say what it ignores: git is not installed → install git\n"
    assert (ran.code, f"refused git.acme.example/acme/net {said}" in ran.err) == (5, True), ran.err
    assert (repo.path / "main.tf").read_text() == TABLE


def test_without_git_retire_is_not_known_to_be_safe(
    new_repo: New, capsys: Capture, off_path: OffPath
) -> None:
    """An ignored file may be what makes a committed root look as if it held both locks."""
    repo = new_repo("net", {"main.tf": BOTH})
    facts = repo.path.parent / "operator.yaml"
    facts.write_text(SOAKED)
    off_path()
    said = ".git:1 may write this state, and was not read: git does not say what it ignores: "
    ran = run(capsys, "edit", "--phase", "retire", "--config", facts, repo.path)
    assert (ran.code, ran.out, said in ran.err) == (6, "", True), ran.err
    assert "3  retire     unknown" in run(capsys, "plan", "--config", facts, repo.path).out


def test_without_terraform_no_directory_is_initialised(
    new_repo: New, capsys: Capture, off_path: OffPath
) -> None:
    """`demo` says how to get one: `tests/demo`."""
    repo = new_repo("net", {"net/main.tf": BOTH})
    initialised(repo)
    off_path()
    ran = run(capsys, "reinit", "--write", repo.path)
    assert (ran.code, ran.out) == (
        5,
        "refused   git.acme.example/acme/net net  there is no terraform on PATH\n1 root: 1 refused\n",
    )
