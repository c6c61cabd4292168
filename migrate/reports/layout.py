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


class Beside(Struct, frozen=True):
    """Text beside a head, or below it where a terminal is too narrow for both."""

    head: str
    text: str


class Rows(Struct, frozen=True):
    """Cells below one another; where that is too wide for a terminal the last of each row stands below it,
    then the longest, too. There a name that would take lines is shortened.
    """

    rows: Sequence[tuple[str, ...]]


Line: TypeAlias = str | Prose | Either | Beside | Rows


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
        case Beside(head, text):
            yield from _beside(head, text, columns)
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


def _beside(head: str, text: str, columns: int | None) -> Iterator[str]:
    if columns is None or len(head) + 2 + len(text) <= columns:
        yield f"{head}  {text}"
    else:
        yield from (head, _below(text, columns))


def _below(text: str, columns: int) -> str:
    return _folded(Prose("    ", text, 4), max(_LEAST, min(columns, _MOST)))


def _rows(rows: Sequence[tuple[str, ...]], columns: int | None) -> Iterator[str]:
    """Each column is as wide as it must be, and no wider than prose: a longer name pads no other row."""
    if columns is None:
        yield from (_row(row, _widths(rows), ()) for row in rows)
        return
    rows = [tuple(map(_shortened, row)) for row in rows]
    widths, last = _widths(rows), len(rows[0]) - 1
    widest = max(range(last), key=widths.__getitem__)
    ways = ((), (last,), (widest, last))
    wide = [max(len(_row(row, widths, way)) for row in rows) for way in ways]
    below = next((way for way, taken in zip(ways, wide, strict=True) if taken <= columns), ways[-1])
    for row in rows:
        yield _row(row, widths, below)
        yield from (_below(row[at], columns) for at in below if row[at])


def _widths(rows: Sequence[tuple[str, ...]]) -> list[int]:
    return [min(_MOST, max(map(len, column))) for column in zip(*rows, strict=True)]


def _row(row: Sequence[str], widths: Sequence[int], below: Sequence[int]) -> str:
    cells = zip(row, widths, strict=True)
    return "  ".join(cell.ljust(wide) for at, (cell, wide) in enumerate(cells) if at not in below).rstrip()


def _shortened(text: str) -> str:
    """Its begin and its end, by which a name is known, where it would take lines."""
    half = _MOST // 2
    return text if len(text) <= _MOST else f"{text[: half - 1]}…{text[-half:]}"
