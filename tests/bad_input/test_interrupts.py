"""An interrupt ends with 130 and one line, whenever it comes; what was begun is whole or was not begun."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.bad_input.on_path import git_that_first
from tests.cli.desk import MAY_LOCK, OLD, Capture, Desk, New
from tests.cli.estates import TABLE, run

LINE = "\ntfrelock: interrupted\n"

AT_AN_IMPORT = """
import os, signal, sys
left = int(sys.argv.pop(1))

class Finder:
    def find_spec(self, name, path, target=None):
        global left
        left -= 1
        if left == 0:
            os.kill(os.getpid(), signal.SIGINT)

import migrate.__main__ as entry
sys.meta_path.insert(0, Finder())
entry.main()
"""


@pytest.mark.parametrize("import_", [1, 2, 5, 20, 50, 100, 150, 200])
def test_while_the_program_is_imported(import_: int, tmp_path: Path) -> None:
    """Before its first import of anything but `os`, `signal` and `sys` it is Python's own to say."""
    (tmp_path / "main.tf").write_text(TABLE)
    ended = subprocess.run(
        [sys.executable, "-c", AT_AN_IMPORT, str(import_), "audit", str(tmp_path)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (ended.returncode, ended.stdout, ended.stderr) == (130, "", LINE)


def git_that_interrupts(call: int, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Git's call number `call` from now on interrupts us before it does anything."""
    count = folder / "calls"
    count.write_text("")
    counts = f"echo call >> {count}; test $(wc -l < {count}) -ne {call}"
    git_that_first(f"{counts} || {{ kill -INT $PPID; sleep 1; }}", folder, monkeypatch)


def test_before_the_files_of_an_edit_are_written(
    new_repo: New, capsys: Capture, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While they are written: `tests/files/test_write.py`, at every moment."""
    repo = new_repo("net", {"main.tf": TABLE})
    git_that_interrupts(1, tmp_path, monkeypatch)
    ran = run(capsys, "edit", "--phase", "dual-lock", "--write", repo.path)
    assert (ran.code, ran.out, ran.err) == (130, "", LINE)
    assert (repo.path / "main.tf").read_text() == TABLE


def test_at_calls_of_git_while_a_proposal_is_made(
    desk: Desk, new_repo: New, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each run goes on where the one before was broken off; in the end there is one branch and one page."""
    repo = new_repo("net", {"main.tf": OLD})
    call, ran = 1, None
    while ran is None or ran.code != 0:
        with monkeypatch.context() as patch:
            git_that_interrupts(call, tmp_path, patch)
            ran = desk.made(repo, config=MAY_LOCK)
        assert ran.code == 0 or (ran.code, ran.err.endswith(LINE)) == (130, True), ran
        call *= 2
    assert call > 16
    assert repo.git("branch", "--format=%(refname:short)") == "main\ntfrelock/default/prepare"
    assert desk.pages() == ["git.acme.example/acme/net/prepare.md"]
    assert repo.git("status", "--porcelain") == ""
