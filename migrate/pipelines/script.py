"""Shell scripts. In which directory they are called, and by whom, is seldom said."""

from __future__ import annotations

from pathlib import PurePosixPath
from typing import Final

from migrate.model import Run, Source, Unknown
from migrate.plug import Found
from migrate.spelling import runs
from migrate.spelling.runs import Part, Script, Sheet
from migrate.text import Span

NAME: Final = "script"

_SUFFIXES: Final = frozenset(
    {".sh", ".bash", ".zsh", ".ksh", ".bats", ".envrc", ".ps1", ".psm1", ".bat", ".cmd", ".fish"}
)
_PIPELINE: Final = frozenset({"ci", ".ci", ".github", ".gitlab", ".buildkite", ".circleci", "buildspecs"})
_CALLER: Final = Unknown("what calls this script may hold it back")


def claims(path: PurePosixPath, head: bytes, /) -> bool:
    shebang = head.startswith(b"#!") and b"sh" in head.partition(b"\n")[0]
    return path.suffix in _SUFFIXES or path.name.startswith(".env") or (not path.suffix and shebang)


def find(source: Source, /) -> Found[Run]:
    automated = not _PIPELINE.isdisjoint(path.lower() for path in source.path.parts[:-1])
    whole = Part(Span(0, len(source.text)))
    script = Script((whole,), runs.CALLED, "script", automated=automated, serialised=_CALLER)
    return Sheet(source, NAME).found([script])
