"""This program as its users run it, and git, in children that know nothing of the person who looks on."""

import sys
from collections.abc import Container, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Final, assert_never

from msgspec import Struct

from migrate.demo.cloud import PACKAGES
from migrate.errors import RelockError
from migrate.process import Call, Finished, NotFound, TimedOut, run
from migrate.terraform import Ran

_BROKE: Final = 1
_NOBODY: Final[Mapping[str, str]] = MappingProxyType({})


class Desk(Struct, frozen=True):
    """Somebody's home folder: their git configuration is there, and nothing else."""

    home: Path

    def furnish(self) -> None:
        self.home.mkdir()
        about = (
            "[user]\n\tname = Demonstration\n\temail = demo@acme.example\n[init]\n\tdefaultBranch = main\n"
        )
        (self.home / ".gitconfig").write_text(about, encoding="utf-8")

    def tfrelock(self, folder: Path, *arguments: str, aws: Mapping[str, str] = _NOBODY) -> Ran:
        """One command line of ours, signed in to `aws`. Exit codes are answers; raises RelockError where the
        program broke.
        """
        command = (sys.executable, "-P", "-m", "migrate", *arguments)
        return self._run(command, folder, (_BROKE,), aws)

    def git(self, folder: Path, *arguments: str) -> Ran:
        """One command of git. Raises RelockError unless it succeeds."""
        return self._run(("git", *arguments), folder, range(1, 256), _NOBODY)

    def _run(
        self, command: Sequence[str], folder: Path, broke: Container[int], aws: Mapping[str, str]
    ) -> Ran:
        env = {
            **aws,
            "HOME": str(self.home),
            "XDG_CONFIG_HOME": str(self.home / ".config"),
            "XDG_CACHE_HOME": str(self.home / ".cache"),
            "GIT_CONFIG_GLOBAL": str(self.home / ".gitconfig"),
            "GIT_CONFIG_NOSYSTEM": "1",
            "NO_COLOR": "1",
            "PYTHONPATH": str(PACKAGES),
        }
        result = run(Call(command, folder, env))
        match result:
            case Finished(code=code, out=out, err=err) if code not in broke:
                return Ran(code, out.decode("utf-8", "replace"), err)
            case Finished(shown, err=err):
                raise RelockError(f"a command of the demonstration failed: {err}", shown, "run it by hand")
            case NotFound(program):
                raise RelockError("there is no such program", program, "install it")
            case TimedOut(shown):
                raise RelockError("a command of the demonstration did not end", shown, "run it by hand")
            case _:
                assert_never(result)
