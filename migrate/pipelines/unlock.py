"""Scripts and programs that delete rows of a lock table, or compute what its rows are called."""

from __future__ import annotations

import re
from pathlib import PurePosixPath
from typing import Final

from migrate.model import Refusal, Run, RunWish, Source, Unknown
from migrate.plug import Edits, Found, Sources
from migrate.spelling.runs import Script, Sheet
from migrate.spelling.version_names import is_script
from migrate.text import Span

NAME: Final = "unlock"
TOKENS: Final = (b"--table-name", b".Table(", b"TableName", b"table_name=")
FILES: Final[tuple[str, ...]] = ()

_LINE: Final = re.compile(r"(?m)^(?![ \t]*(?:#|//)).*$")
_DELETES: Final = re.compile(r"(?i)\b(?:batch[_-]?write|delete|get|update|put)[_-]?item\b")
_NEAR: Final = 12
"""So many lines may lie between the call and the name of the key."""
_ANYWHERE: Final = Unknown("it concerns a table, no directory")


def claims(path: PurePosixPath, head: bytes, /) -> bool:
    """What runs by itself; a program that is built is somebody's tool, not somebody's automation."""
    return is_script(path) or path.suffix in (".py", ".js", ".ts", ".rb")


def find(source: Source, /) -> Found[Run]:
    """One for each call that reads or writes items beside a `LockID`."""
    sheet, lines = Sheet(source, NAME), list(_LINE.finditer(source.text))
    named = [at for at, line in enumerate(lines) if "LockID" in line[0]]
    runs = [
        sheet.run(None, "delete-item", (call[0],), Span(*call.span()), Script((), _ANYWHERE, automated=True))
        for at, line in enumerate(lines)
        if any(abs(at - near) <= _NEAR for near in named)
        for call in _DELETES.finditer(source.text, *line.span())
    ]
    return Found(tuple(runs))


def edit(sources: Sources, found: Run, wish: RunWish, /) -> Edits | Refusal:
    return Refusal(found.place, "it speaks of rows of a table", "let it ask tfrelock plan what to unlock")
