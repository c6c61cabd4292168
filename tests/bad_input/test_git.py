"""Checkouts on no branch and without a remote, remotes that refuse, and machines without a program."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.bad_input.forges import Forge
from tests.cli.desk import MAY_LOCK, OLD, Capture, Desk, New
from tests.cli.estates import BOTH, TABLE, run
from tests.repo import Repo


def test_a_detached_head_without_a_remote_is_edited_all_the_same(new_repo: New, capsys: Capture) -> None:
    repo = new_repo("net", {"main.tf": TABLE})
    repo.git("remote", "remove", "origin")
    repo.git("checkout", "--quiet", "--detach")
    ran = run(capsys, "edit", "--phase", "dual-lock", "--write", repo.path)
    assert (ran.code, ran.err.splitlines()[-1]) == (0, "wrote 1 file in net")
    assert (repo.path / "main.tf").read_text() == BOTH


def test_a_detached_head_is_a_base_too(desk: Desk, new_repo: New) -> None:
    repo = new_repo("net", {"main.tf": OLD})
    repo.git("checkout", "--quiet", "--detach")
    ran = desk.made(repo, config=MAY_LOCK)
    assert (ran.code, " opened: Lock state in S3 as well as DynamoDB (1 file) " in ran.out) == (0, True)
    assert "Branch `tfrelock/default/prepare` into `HEAD`.\n" in desk.page("net/prepare.md")


def test_a_refused_push(desk: Desk, clone: Repo, forge: Forge) -> None:
    hook = forge.bare / "hooks/pre-receive"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text("#!/bin/sh\necho 'acme: branches begin with team/' >&2\nexit 1\n")
    hook.chmod(0o755)
    ran = forge.offered(desk, clone)
    assert ran.code == 5
    assert (
        " not made: the push was refused: [remote rejected] (pre-receive hook declined); "
        "remote: acme: branches begin with team/ → " in ran.out
    )
    assert forge.pulls.get("acme/net", []) == []


def test_a_repository_without_a_remote(desk: Desk, clone: Repo, forge: Forge) -> None:
    clone.git("remote", "remove", "origin")
    ran = forge.offered(desk, clone)
    assert (ran.code, " not made: this repository is not on this forge → " in ran.out) == (5, True), ran.out


@pytest.fixture
def bare_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """PATH leads to no program."""
    (tmp_path / "empty").mkdir()
    monkeypatch.setenv("PATH", str(tmp_path / "empty"))


NO_GIT = "tfrelock: git is not on PATH\n  try: install git 2.31 or newer\n"


@pytest.mark.parametrize(
    ("command", "code", "err"),
    [
        (["audit", "--fail-on", "error"], 0, ""),
        (["audit", "--base", "main"], 1, NO_GIT),
        (["edit", "--phase", "dual-lock"], 1, NO_GIT),
        (["propose"], 1, NO_GIT),
    ],
)
def test_without_git(
    command: list[str], code: int, err: str, new_repo: New, capsys: Capture, request: pytest.FixtureRequest
) -> None:
    repo = new_repo("net", {"main.tf": TABLE})
    request.getfixturevalue("bare_path")
    ran = run(capsys, *command, repo.path)
    assert (ran.code, ran.err) == (code, err)
