"""A `git` of our own before the real one on PATH: what happens between two of our steps happens in it."""

import os
import shutil
from pathlib import Path
from typing import Final

import pytest

_REAL: Final = shutil.which("git")


def git_that_first(does: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """From now on every call of git runs these lines of shell, then git."""
    program = folder / "bin/git"
    program.parent.mkdir(exist_ok=True)
    program.write_text(f'#!/bin/sh\n{does}\nexec {_REAL} "$@"\n')
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{program.parent}{os.pathsep}{os.defpath}")
