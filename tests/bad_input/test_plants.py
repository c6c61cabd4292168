"""Hostile trees: nothing that they plant runs, and no terminal obeys what they are named."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.estates import TABLE, Files, run
from tests.git.plants import PLANTS, trap
from tests.repo import Repo

New = Callable[[str, Files], Repo]
Capture = pytest.CaptureFixture[str]


@pytest.mark.parametrize("format_", ["table", "json", "csv", "markdown", "sarif", "html", "github"])
def test_a_name_never_reaches_the_terminal_as_it_is(format_: str, new_repo: New, capsys: Capture) -> None:
    repo = new_repo("net", {"esc\x1b[31m\n/main.tf": TABLE, "esc\x1b[31m\n/odd.tf": b"backend \xe9"})
    ran = run(capsys, "audit", "--format", format_, repo.path)
    assert "\x1b" not in ran.out + ran.err
    assert (ran.code, "main.tf" in ran.out) == (5, True)


@pytest.mark.parametrize("command", [["plan"], ["edit", "--phase", "dual-lock"], ["propose"]])
def test_nor_what_is_said_on_the_way(command: list[str], new_repo: New, capsys: Capture) -> None:
    repo = new_repo("net", {"esc\x1b[31m\n/main.tf": TABLE, "esc\x1b[31m\n/odd.tf": b"backend \xe9"})
    ran = run(capsys, *command, repo.path)
    assert "\x1b" not in ran.out + ran.err
    said = r"unreadable git.acme.example/acme/net esc\x1b[31m\x0a/odd.tf: not UTF-8"
    assert (ran.code, said in ran.err) == (5, True), ran.err


COMMANDS = {
    "audit": ["audit", "--fail-on", "never"],
    "audit --base": ["audit", "--base", "main", "--fail-on", "never"],
    "plan": ["plan"],
    "edit": ["edit", "--phase", "dual-lock", "--write"],
}
SAID = {
    "audit": "1 state in 1 repository: 1 table",
    "audit --base": "1 state in 1 repository: 1 table",
    "plan": "  2  dual-lock  unknown",
    "edit": "+    use_lockfile   = true",
}


@pytest.mark.parametrize("plant", PLANTS)
@pytest.mark.parametrize("command", COMMANDS)
def test_no_command_runs_what_a_checkout_plants(
    command: str, plant: str, new_repo: New, capsys: Capture, tmp_path: Path
) -> None:
    repo = new_repo("net", {"main.tf": TABLE, "lazy.tf": "lazy", "x.tf": "x"})
    program, marker = trap(tmp_path)
    PLANTS[plant].lay(repo, program)
    repo.write({"main.tf": f"{TABLE}# changed\n"})
    marker.unlink(missing_ok=True)
    ran = run(capsys, *COMMANDS[command], repo.path)
    assert not marker.exists()
    assert ran.code == 0, ran.err
    assert SAID[command] in ran.out
