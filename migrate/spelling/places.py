"""In which directory a shell is, as far as its text tells."""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import PurePosixPath
from typing import Final

from migrate.model import Fact, Known, Unknown
from migrate.shell import Command
from migrate.spelling.command_line import is_filled
from migrate.spelling.commands import FILLED, settled

HERE: Final = Known(PurePosixPath())
ELSEWHERE: Final = Unknown("in which directory it runs is not said here")
_BRANCH: Final = frozenset({"then", "else", "do"})
_MOVES: Final = re.compile(
    r"\b(?P<name>\w+)[ \t]*[:?+]{0,2}=[^\n]{0,400}?(?:-chdir\b|\bcd[ \t]|--working-dir\b)"
)
_NAMED: Final = re.compile(r"\$[({]*(\w+)")


class Places:
    """Which directory a shell is in, as far as `cd` with a plain name tells."""

    def __init__(self, start: Fact[PurePosixPath], text: str) -> None:
        self._at: list[Fact[PurePosixPath]] = [start]
        self._text = text
        self._moving = _moving(text)

    def after(self, command: Command) -> Fact[PurePosixPath]:
        """Where the command and those behind it run; parentheses end where they ended."""
        while len(self._at) <= command.depth:
            self._at.append(self._at[-1])
        del self._at[command.depth + 1 :]
        words = [word.text for word in command.words]
        branch = bool(words) and words[0] in _BRANCH
        words = words[1:] if branch else words
        if words and words[0].lstrip("@") in ("cd", "pushd", "popd"):
            to = words[1] if len(words) == 2 and words[0] != "popd" and not branch else ""
            known = to and isinstance(self._at[-1], Known)
            self._at[-1] = below(self._at[-1], settled(to, self._text)) if known else ELSEWHERE
        named = {found[1] for word in words for found in _NAMED.finditer(word)}
        return self._at[-1] if self._moving.isdisjoint(named) else ELSEWHERE


def below(base: Fact[PurePosixPath], to: str) -> Fact[PurePosixPath]:
    """A directory as seen from another; Unknown where either is, or it leads out of the repository."""
    if isinstance(base, Unknown):
        return base
    if is_filled(to):
        return Unknown(f"it runs in {to}, which is known when it runs", like=_like(base.value, to))
    if not to or to.startswith(("/", "~", "-")) or "*" in to:
        return ELSEWHERE
    parts: list[str] = list(base.value.parts)
    for step in PurePosixPath(to).parts:
        if step == ".." and not parts:
            return ELSEWHERE
        parts = parts[:-1] if step == ".." else [*parts, step]
    return Known(PurePosixPath(*parts))


def _like(base: PurePosixPath, to: str) -> str:
    """A directory with `*` for what is filled in, which may be a path, none at all, or begin at the root."""
    shape = FILLED.sub("*", to)
    known = shape != "*" and not (is_filled(shape) or ".." in shape or shape.startswith(("/", "~")))
    return (shape if shape.startswith("*") else str(base / shape)).replace("/*/", "*") if known else ""


@lru_cache(maxsize=16)
def _moving(text: str) -> frozenset[str]:
    """The variables whose value goes to another directory: `TF := terraform -chdir=net`.

    Each script of a file asks this of the whole file.
    """
    return frozenset(found["name"] for found in _MOVES.finditer(text))
