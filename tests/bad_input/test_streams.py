"""Standard streams that are full, closed or read by nobody: a line where one can be said, no false 0."""

from __future__ import annotations

import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.estates import BOTH, TABLE

FULL = "tfrelock: standard output: cannot be written: no space left on device\n  try: send it elsewhere\n"
CLOSED = "tfrelock: standard output was closed before everything was said; stopped there\n"
AUDIT, WRITE = "audit .", "edit --phase dual-lock --write ."


def in_shell(command: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """A command line of a shell; its code is that of `tfrelock`, wherever in a pipe it stands."""
    line = f"set -o pipefail; {command.replace('tfrelock', f'{shlex.quote(sys.executable)} -m migrate')}"
    return subprocess.run(["bash", "-c", line], cwd=folder, capture_output=True, text=True, check=False)


needs_full = pytest.mark.skipif(not Path("/dev/full").exists(), reason="only Linux has /dev/full")


@pytest.mark.parametrize(
    ("command", "code", "err"),
    [
        pytest.param(f"tfrelock {AUDIT} >/dev/full", 1, FULL, marks=needs_full),
        pytest.param("tfrelock --help >/dev/full", 1, FULL, marks=needs_full),
        pytest.param(f"tfrelock {WRITE} >/dev/null 2>/dev/full", 1, "", marks=needs_full),
        (f"tfrelock {AUDIT} | true", 1, CLOSED),
        (f"tfrelock {AUDIT} >&-", 0, ""),
        (f"tfrelock {AUDIT} 2>&-", 0, ""),
    ],
)
def test_what_is_said_and_the_code(command: str, code: int, err: str, tmp_path: Path) -> None:
    (tmp_path / "main.tf").write_text(TABLE)
    ended = in_shell(command, tmp_path)
    assert (ended.returncode, ended.stderr) == (code, err)


def test_no_file_that_is_written_becomes_a_closed_stream(tmp_path: Path) -> None:
    """The lowest free number is that of the stream: a word on it would stand in the file."""
    (tmp_path / "main.tf").write_text(TABLE)
    assert in_shell(f"tfrelock {WRITE} <&- >&- 2>&-", tmp_path).returncode == 0
    assert (tmp_path / "main.tf").read_text() == BOTH
