"""Lines for people, and how they are laid out: on a terminal so that they fit it, elsewhere to be searched.

Prose is folded after 100 columns at the latest. Places, states and commands are never broken.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator, Sequence
from typing import Final, TypeAlias

from msgspec import Struct

_MOST: Final = 100
_LEAST: Final = 40


class Prose(Struct, frozen=True):
    """Text behind a head; what does not fit goes on below it, `indent` columns in."""

    head: str
    text: str
    indent: int


class Either(Struct, frozen=True):
    """One line where it fits, else those in its place."""

    one: str
    others: tuple[str | Prose, ...]


class Rows(Struct, frozen=True):
    """Cells below one another; where that is too wide for a terminal the last of each row stands below it."""

    rows: Sequence[tuple[str, ...]]


Line: TypeAlias = str | Prose | Either | Rows


def laid(lines: Iterable[Line], columns: int | None) -> str:
    """The lines for a terminal of so many columns; None: for a file or a pipe, with each row on one line."""
    return "".join(f"{text}\n" for line in lines for text in _lines(line, columns))


def _lines(line: Line, columns: int | None) -> Iterator[str]:
    most = max(_LEAST, min(columns or _MOST, _MOST))
    match line:
        case str():
            yield line
        case Prose():
            yield _folded(line, most)
        case Either():
            for one in (line.one,) if len(line.one) <= most else line.others:
                yield from _lines(one, columns)
        case Rows():
            yield from _rows(line.rows, columns)


def _folded(prose: Prose, most: int) -> str:
    return textwrap.fill(
        prose.text,
        most,
        initial_indent=prose.head,
        subsequent_indent=" " * prose.indent,
        break_long_words=False,
        break_on_hyphens=False,
    )


def _rows(rows: Sequence[tuple[str, ...]], columns: int | None) -> Iterator[str]:
    """Each column is as wide as it must be; the last is not filled up."""
    widths = [max(len(row[at]) for row in rows) for at in range(len(rows[0]) - 1)]
    firsts = ["  ".join(map(str.ljust, row, widths)) for row in rows]
    whole = [f"{first}  {row[-1]}".rstrip() for first, row in zip(firsts, rows, strict=True)]
    if columns is None or max(map(len, whole)) <= columns:
        yield from whole
    else:
        for first, row in zip(firsts, rows, strict=True):
            yield first.rstrip()
            yield from [_folded(Prose("    ", row[-1], 4), min(columns, _MOST))] if row[-1] else []
