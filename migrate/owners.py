"""CODEOWNERS: who a file belongs to, by the rules of GitHub and, where it has sections, of GitLab.

The last line that matches decides, in each section by itself. A pattern is one of gitignore without `!` and
`[…]`: `*` stays in its folder, `**` does not, a folder means all that is in it.
https://docs.github.com/articles/about-code-owners, https://docs.gitlab.com/user/project/codeowners/reference/
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from fnmatch import fnmatchcase
from pathlib import PurePosixPath
from typing import Final

from msgspec import Struct

PLACES: Final = (".github/CODEOWNERS", "CODEOWNERS", "docs/CODEOWNERS", ".gitlab/CODEOWNERS")
"""Where the file may be; the first that is there counts."""

_SECTION: Final = re.compile(r"\^?\[(?P<name>[^\]]+)\](?:\[\d+\])?(?P<owners>.*)")
_COMMENT: Final = re.compile(r"(?:^|(?<=\s))#.*")
_ESCAPED: Final = re.compile(r"\\(.)|\[")
_WORD: Final = re.compile(r"(?:\\.|\S)+")


class Pattern(Struct, frozen=True):
    """The folders and the name that a path must have, one glob each; `**` stands for any number of folders.

    `exact`: a path that ends with them; `inside`: one that goes on below.
    """

    parts: tuple[str, ...]
    exact: bool
    inside: bool

    def matches(self, names: tuple[str, ...]) -> bool:
        reached = {0}  # how many of the names the parts so far may stand for
        for part in self.parts:
            if part == "**":
                reached = set(range(min(reached, default=len(names) + 1), len(names) + 1))
            else:
                reached = {at + 1 for at in reached if at < len(names) and fnmatchcase(names[at], part)}
        return any(self.exact if at == len(names) else self.inside for at in reached)


class Line(Struct, frozen=True):
    """One pattern and whose its files are; nobody's where it names none."""

    section: str
    pattern: Pattern
    owners: tuple[str, ...]


class Owners(Struct, frozen=True):
    """The lines of one file, in order."""

    lines: tuple[Line, ...] = ()

    def of(self, path: PurePosixPath) -> tuple[str, ...]:
        """Whose a file is, by its path in the repository; of several sections all of theirs, each once."""
        last = {line.section: line.owners for line in self.lines if line.pattern.matches(path.parts)}
        return tuple(dict.fromkeys(owner for owners in last.values() for owner in owners))


def read(text: str) -> Owners:
    """A line that is no pattern of its kind is left out, as the hosts do."""
    return Owners(tuple(_lines(text)))


def _lines(text: str) -> Iterator[Line]:
    parted = any(_SECTION.fullmatch(line.strip()) for line in text.splitlines())
    section, usual = "", tuple[str, ...]()
    for line in text.splitlines():
        said = _COMMENT.sub("", line).strip()
        header = _SECTION.fullmatch(said)
        if header:
            section, usual = header["name"].strip().lower(), tuple(header["owners"].split())
        elif words := _WORD.findall(said):
            pattern = _pattern(words[0], anywhere=parted)
            if pattern:
                yield Line(section, pattern, tuple(words[1:]) or usual)


def _pattern(written: str, *, anywhere: bool) -> Pattern | None:
    """`/apps/` → all in that folder. `anywhere`: a path that begins with no slash is one in any folder."""
    if written.startswith("!") or (not anywhere and "[" in written):
        return None
    folder = written.endswith(("/", "/**"))
    body = written.removesuffix("**").strip("/") if folder else written.lstrip("/")
    rooted = written.startswith("/") or (not anywhere and "/" in body) or written.endswith("/**")
    globs = tuple(_ESCAPED.sub(lambda found: _plain(found[1] or found[0]), part) for part in body.split("/"))
    listing = globs[-1].endswith("*") and len(globs) > 1
    return Pattern(globs if rooted else ("**", *globs), exact=not folder, inside=folder or not listing)


def _plain(character: str) -> str:
    """A character that means itself, as `fnmatch` has it."""
    return f"[{character}]" if character in "*?[" else character
