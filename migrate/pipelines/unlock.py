"""Scripts and programs that delete rows of a lock table, or compute what its rows are called."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, islice
from pathlib import PurePosixPath
from typing import Final

from migrate.model import LOCK_KEY, Run, Source, Unknown
from migrate.plug import Found
from migrate.spelling.runs import Script, Sheet
from migrate.spelling.version_names import is_script
from migrate.text import Span

NAME: Final = "unlock"

_LINE: Final = re.compile(r"(?m)^(?![ \t]*(?:#|//)).*$")
_CALL: Final = re.compile(
    r"(?i)\b(?:(?:batch[_-]?write|delete|get|update|put)[_-]?item(?:command)?|(?:remove|get|set)-ddbitem)\b"
)
_TABLE: Final = re.compile(
    r"""(?:--table-name[=\s]|\bTableName["']?\s*[:=\s]|\btable_name\s*=|\.Table\()\s*["']?"""
    r"""(?P<name>\$\{\{[^{}\n]*\}\}|[\w.${}-]+)"""
)
_ASSIGNED: Final = re.compile(r"""\b(?P<name>\w+)["']?[ \t]*[:=][ \t]*["']?(?P<value>[\w.-]+)""")
_VARIABLE: Final = re.compile(r"(?:\$\{\{.*\b|\$\{?)?(?P<name>\w+)\s*\}{0,2}")
_NEAR: Final = 12
"""So many lines may lie between the call and what says whose rows they are."""
_MANY: Final = 20
"""A variable with more values, or a line with more names, is not written by hand; the first are taken."""
_BUNDLED: Final = 5_000
"""A line as long as this is no program's, but what a bundler made of one."""
_ANYWHERE: Final = Unknown("it concerns a table, no directory")


def claims(path: PurePosixPath, head: bytes, /) -> bool:
    """What runs by itself; a program that is built is somebody's tool, not somebody's automation."""
    return is_script(path) or path.suffix in (".py", ".js", ".ts", ".rb")


def find(source: Source, /) -> Found[Run]:
    """One for each call that reads or writes items, with what stands near: `LockID`, and names of tables."""
    lines = [line for line in _LINE.finditer(source.text) if len(line[0]) < _BUNDLED]
    calls = [
        (at, call) for at, line in enumerate(lines) for call in _CALL.finditer(source.text, *line.span())
    ]
    if not calls:
        return Found(())
    values = _values(line[0] for line in lines)
    told = [list(islice(dict.fromkeys(_names(line[0], values)), _MANY)) for line in lines]
    sheet, script = Sheet(source, NAME), Script((), _ANYWHERE, automated=True)
    runs = [
        sheet.run(None, "delete-item", (call[0], *near), Span(*call.span()), script)
        for at, call in calls
        if (near := dict.fromkeys(chain.from_iterable(told[max(0, at - _NEAR) : at + _NEAR + 1])))
    ]
    return Found(tuple(runs))


def _values(lines: Iterable[str]) -> Mapping[str, Sequence[str]]:
    """What the file sets its variables to; without those of very many values."""
    values: dict[str, dict[str, None]] = defaultdict(dict)
    for found in chain.from_iterable(map(_ASSIGNED.finditer, lines)):
        values[found["name"]][found["value"]] = None
    return {name: list(given) for name, given in values.items() if len(given) <= _MANY}


def _names(line: str, values: Mapping[str, Sequence[str]]) -> Iterator[str]:
    """The tables a line speaks of, as written and as the file sets them; `LockID` where it names that."""
    if LOCK_KEY in line:
        yield LOCK_KEY
    for found in _TABLE.finditer(line):
        yield found["name"]
        variable = _VARIABLE.fullmatch(found["name"])
        yield from values.get(variable["name"], ()) if variable else ()
