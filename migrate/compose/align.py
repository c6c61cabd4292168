"""The columns in which `terraform fmt` puts `=` and trailing comments.

Two passes of HashiCorp's formatter are repeated here and nothing else of it: neighbouring lines that hold a
whole assignment share a column for `=`, neighbouring lines with a trailing comment share one for that. What
was not in such a column before an edit is left alone after it.
"""

from bisect import bisect_right
from collections.abc import Collection, Iterator, Mapping, Sequence

from msgspec import Struct

from migrate.compose.columns import columns
from migrate.compose.lex import DEPTH, Kind, Lexeme, lexemes
from migrate.text import Span, Syntax


class Row(Struct, frozen=True):
    """A logical line: lead, blanks, `=` and tail, blanks, comment. Lead and tail are numbers of columns."""

    span: Span
    lead: int
    before_equal: Span | None
    tail: int
    before_comment: Span | None


def realign(old: str, was: Span, new: str, now: Span, origins: Sequence[int]) -> Mapping[Span, str]:
    """The blanks that some places of `new` need for its columns to be those of `terraform fmt`.

    The HCL at `was` in `old` has become that at `now` in `new`; `origins` tells for each character of `new`
    where it stood in `old`, -1 for nowhere. Lines of a group that was not aligned keep their blanks.
    """
    before, after = rows(old, was), rows(new, now)
    sources = _sources(before, after, origins)
    needed: dict[Span, int] = {}
    for cell in (_equal, _comment):  # in this order: where a comment stands depends on where its `=` does
        unaligned = _unaligned(old, [cell(row, {}) for row in before])
        for group in _groups([cell(row, needed) for row in after]):
            if unaligned.isdisjoint(source for index in group for source in sources[index]):
                needed |= _spaces(group.values())
    return {place: " " * spaces for place, spaces in needed.items() if place.of(new) != " " * spaces}


def rows(text: str, document: Span) -> list[Row]:
    """The logical lines of the HCL at `document`."""
    found: list[Row] = []
    line: list[Lexeme] = []
    start = document.start
    for lexeme in lexemes(text, document, Syntax.HCL):
        if lexeme.kind is Kind.NEWLINE:
            found.append(_row(text, Span(start, lexeme.start), line))
            start, line = lexeme.end, []
        else:
            line.append(lexeme)
    return [*found, _row(text, Span(start, document.end), line)]


def _row(text: str, span: Span, line: list[Lexeme]) -> Row:
    comment = line.pop() if _has_trailing_comment(text, line) else None
    equal = _whole_assignment(line)
    lead, tail = line[:equal], line[equal:] if equal else []
    end_of_lead = lead[-1].end if lead else span.start
    return Row(
        span,
        _columns(text, span.start, lead),
        Span(end_of_lead, tail[0].start) if tail else None,
        _columns(text, tail[0].start, tail) if tail else 0,
        Span(line[-1].end, comment.start) if comment else None,
    )


def _has_trailing_comment(text: str, line: list[Lexeme]) -> bool:
    """A comment that ends its line; `/* */` is a word like any other."""
    return len(line) > 1 and line[-1].kind is Kind.COMMENT and not text.startswith("/*", line[-1].start)


def _whole_assignment(line: list[Lexeme]) -> int | None:
    """The index of the first `=`, if the brackets from there to the end of the line balance."""
    for index, lexeme in enumerate(line):
        if index and lexeme.kind is Kind.EQUAL:
            return None if sum(DEPTH.get(other.kind, 0) for other in line[index:]) else index
    return None


def _columns(text: str, start: int, line: list[Lexeme]) -> int:
    total = 0
    for lexeme in line:
        total += lexeme.start - start + columns(text[lexeme.start : lexeme.end])
        start = lexeme.end
    return total


class Cell(Struct, frozen=True):
    """What has a column: the blanks before it and the columns before those."""

    blanks: Span
    width: int


def _equal(row: Row, _: Mapping[Span, int]) -> Cell | None:
    return Cell(row.before_equal, row.lead) if row.before_equal is not None else None


def _comment(row: Row, needed: Mapping[Span, int]) -> Cell | None:
    if row.before_comment is None:
        return None
    blanks = row.before_equal
    gap = 0 if blanks is None else needed.get(blanks, len(blanks))
    return Cell(row.before_comment, row.lead + gap + row.tail)


def _groups(cells: Sequence[Cell | None]) -> Iterator[dict[int, Cell]]:
    """Runs of neighbouring cells, by the index of their row."""
    group: dict[int, Cell] = {}
    for index, cell in enumerate([*cells, None]):
        if cell is not None:
            group[index] = cell
        elif group:
            yield group
            group = {}


def _spaces(group: Collection[Cell]) -> dict[Span, int]:
    widest = max(cell.width for cell in group)
    return {cell.blanks: widest - cell.width + 1 for cell in group}


def _unaligned(text: str, cells: Sequence[Cell | None]) -> set[int]:
    """The rows of all groups in which something is not in its column."""
    rows_of_groups: set[int] = set()
    for group in _groups(cells):
        if any(blanks.of(text) != " " * spaces for blanks, spaces in _spaces(group.values()).items()):
            rows_of_groups.update(group)
    return rows_of_groups


def _sources(before: Sequence[Row], after: Sequence[Row], origins: Sequence[int]) -> list[set[int]]:
    """For each row after the edit the rows before it of which it holds at least a character."""
    starts = [row.span.start for row in before]
    return [
        {bisect_right(starts, origin) - 1 for origin in origins[row.span.start : row.span.end] if origin >= 0}
        for row in after
    ]
