"""The tokens of the tests, and where they must never be: in an output, a log, a store, a clone."""

from __future__ import annotations

import subprocess
from base64 import b64encode
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

MARK: Final = "l43r4t0n"[::-1]
"""In each of them, and backwards here: a test that copies our own files is no leak."""
GITHUB: Final = f"ghp_{MARK}t0k3n{MARK}t0k3n"
GITLAB: Final = f"glpat-{MARK}t0k3n"
GITEA: Final = f"6e{MARK}t0k3n{MARK}t0k3n"


def _in_base64(text: str) -> Iterator[str]:
    """What of a text stands in base64 whatever is around it: it may begin at each of three places."""
    for before in range(3):
        whole = b64encode(bytes(before) + text.encode()).decode()
        yield whole[-(-before * 8 // 6) : (before + len(text)) * 8 // 6]


FORMS: Final[Sequence[str]] = (MARK, *_in_base64(MARK))
"""As it is, and as a Basic authorization carries it, with any user before and anything behind."""


def kept(folder: Path) -> list[str]:
    """The files under a folder that hold a token in any of its forms."""
    forms = [word for form in FORMS for word in ("-e", form)]
    found = subprocess.run(
        ["grep", "-rlF", "--devices=skip", *forms, str(folder)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert found.returncode in (0, 1, 2)  # 2: one could not be read
    return found.stdout.splitlines()
