"""Scripts for tests, run by this Python wherever it lies: a blank in its path ends a plain `#!`."""

import sys
from pathlib import Path


def script(path: Path, code: str) -> Path:
    """An executable file; a shell reads its second line, and Python the third as the end of a text."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\n'''exec' \"{sys.executable}\" -P \"$0\" \"$@\"\n'''\n{code}\n")
    path.chmod(0o755)
    return path
