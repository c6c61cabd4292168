"""The tokens of the tests, and where they must never be: in an output, a log, a store, a clone."""

from __future__ import annotations

import subprocess
from base64 import b64encode
from collections.abc import Sequence
from pathlib import Path
from typing import Final

MARK: Final = "l43r4t0n"[::-1]
"""In each of them, and backwards here: a test that copies our own files is no leak."""
GITHUB: Final = f"ghp_{MARK}t0k3n{MARK}t0k3n"
GITLAB: Final = f"glpat-{MARK}t0k3n"
GITEA: Final = f"6e{MARK}t0k3n{MARK}t0k3n"
SENT: Final[Sequence[str]] = (
    MARK,
    *(b64encode(f"x-access-token:{token}".encode()).decode() for token in (GITHUB, GITLAB, GITEA)),
)
"""As they are, and as git sends them."""


def holding(folder: Path, mark: str) -> list[str]:
    """The files under a folder that hold a mark."""
    found = subprocess.run(
        ["grep", "-rlF", "--devices=skip", "-e", mark, str(folder)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert found.returncode in (0, 1, 2)  # 2: one could not be read
    return found.stdout.splitlines()
