"""This program as its users run it, in a child process of its own."""

import sys
from pathlib import Path

from migrate.demo.cloud import PACKAGES
from migrate.errors import RelockError
from migrate.process import Call, Finished, run
from migrate.terraform import Ran


def tfrelock(folder: Path, *arguments: str) -> Ran:
    """One command line in a folder. Exit codes are answers; raises RelockError where the program broke."""
    command = (sys.executable, "-P", "-m", "migrate", *arguments)
    result = run(Call(command, folder, {"PYTHONPATH": str(PACKAGES), "NO_COLOR": "1"}))
    if not isinstance(result, Finished) or result.code == 1:
        raise RelockError("a command of ours failed in the demonstration", "", str(result))
    return Ran(result.code, result.out.decode("utf-8", "replace"), result.err)
