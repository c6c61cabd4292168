"""Trees that are broken, odd or hostile: nothing of them runs, and what was not read is said."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.estates import TABLE, Files, run
from tests.git.plants import PLANTS, trap
from tests.repo import Repo

New = Callable[[str, Files], Repo]
Capture = pytest.CaptureFixture[str]


@pytest.mark.parametrize("format_", ["table", "json", "csv", "markdown"])
def test_a_name_never_reaches_the_terminal_as_it_is(format_: str, new_repo: New, capsys: Capture) -> None:
    repo = new_repo("net", {"esc\x1b[31m\n/main.tf": TABLE, "esc\x1b[31m\n/odd.tf": b"backend \xe9"})
    ran = run(capsys, "audit", "--format", format_, repo.path)
    assert "\x1b" not in ran.out + ran.err
    assert "main.tf" in ran.out


COMMANDS = {
    "audit": ["audit", "--fail-on", "never"],
    "audit --base": ["audit", "--base", "main", "--fail-on", "never"],
    "plan": ["plan"],
    "edit": ["edit", "--phase", "dual-lock", "--write"],
}


@pytest.mark.parametrize("plant", PLANTS)
@pytest.mark.parametrize("command", COMMANDS)
def test_no_command_runs_what_a_checkout_plants(
    command: str, plant: str, new_repo: New, capsys: Capture, tmp_path: Path
) -> None:
    repo = new_repo("net", {"main.tf": TABLE, "lazy.tf": "lazy", "x.tf": "x"})
    program, marker = trap(tmp_path)
    PLANTS[plant].lay(repo.path, program)
    marker.unlink(missing_ok=True)
    ran = run(capsys, *COMMANDS[command], repo.path)
    assert not marker.exists()
    assert ran.code in (0, 5), ran.err
    print('CODE',command,'|',plant,'|',ran.code,'|',ran.err[:300])
