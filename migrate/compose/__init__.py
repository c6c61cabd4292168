"""Operations on one text, applied at once."""

from collections.abc import Iterable, Sequence
from itertools import combinations

from migrate.compose.align import realign
from migrate.compose.place import Document, Place, look
from migrate.compose.splice import Edit, drop, insert_after, insert_inside, open_up
from migrate.text import Conflict, Drop, InsertAfter, InsertInside, Op, Replace, Span, Syntax


def compose(text: str, ops: Iterable[Op]) -> str | Conflict:
    """`text` with all of `ops` applied, whatever their order, and aligned where it was.

    Two operations that want different things of one place are a `Conflict`; the same operation twice is one.
    """
    wanted = sorted(set(ops), key=_from_the_end)
    for one, other in combinations(wanted, 2):
        if _clash(one, other):
            return Conflict(one, other)
    draft = _Draft(text)
    for op in wanted:
        draft.write(open_up(bracket) if (bracket := _bracket(op, draft)) else [])
        draft.write(_edits(op, draft))
    draft.align({op.within for op in wanted if op.syntax is Syntax.HCL})
    return draft.text


# At one place: first what changes a thing, then what stands beside it, last what takes it away.
_ORDER = (Replace, InsertInside, InsertAfter, Drop)


def _from_the_end(op: Op) -> tuple[int, int, int]:
    return -op.span.start, _ORDER.index(type(op)), op.span.end


def _clash(one: Op, other: Op) -> bool:
    same = type(one) is type(other) and one.span == other.span
    return same or _takes_away(one, other) or _takes_away(other, one)


def _takes_away(one: Op, other: Op) -> bool:
    """Whether nothing would be left of what `other` wants to change, or to stand beside."""
    if not isinstance(one, Replace | Drop) or not one.span.overlaps(other.span):
        return False
    return isinstance(other, Replace | Drop) or not other.span.contains(one.span)


class _Draft:
    """A text under change, which knows where each character of the original has gone."""

    def __init__(self, text: str) -> None:
        self._original = text
        self._origins = list(range(len(text)))
        self._written: list[tuple[Span, int]] = []
        self.text = text

    def write(self, edits: Iterable[Edit]) -> None:
        """Make edits that do not overlap, at places of the text as it stands now."""
        for span, new in sorted(edits, reverse=True):
            self.text = self.text[: span.start] + new + self.text[span.end :]
            self._origins[span.start : span.end] = [-1] * len(new)
            self._written.append((span, len(new)))

    def place(self, op: Op, span: Span) -> Place:
        document = Document(self.text, self._document(op.within), op.syntax)
        return look(document, self.now(span))

    def now(self, span: Span) -> Span:
        """Where a span of the original stands now, without what was written directly before and after it."""
        start = self._moved(span.start, pushed=True)
        return Span(start, max(start, self._moved(span.end, pushed=False)))

    def align(self, documents: Iterable[Span | None]) -> None:
        for within in documents:
            was = within or _all_of(self._original)
            blanks = realign(self._original, was, self.text, self._document(within), self._origins)
            self.write(blanks.items())

    def _document(self, within: Span | None) -> Span:
        if within is None:
            return _all_of(self.text)
        return Span(self._moved(within.start, pushed=False), self._moved(within.end, pushed=True))

    def _moved(self, at: int, *, pushed: bool) -> int:
        for span, length in self._written:
            if at >= span.end and (at > span.start or pushed):
                at += length - len(span)
            elif at > span.start:
                at = span.start + length
        return at


def _all_of(text: str) -> Span:
    return Span(1 if text.startswith("\ufeff") else 0, len(text))


def _bracket(op: Op, draft: _Draft) -> Place | None:
    """The bracket into which something is inserted."""
    match op:
        case InsertAfter():
            return draft.place(op, op.span).bracket
        case InsertInside():
            return draft.place(op, Span(op.span.start, op.span.start + 1))
        case Replace() | Drop():
            return None


def _edits(op: Op, draft: _Draft) -> Sequence[Edit]:
    match op:
        case Replace():
            return [(draft.now(op.span), op.new)]
        case Drop():
            return drop(draft.place(op, op.span))
        case InsertAfter():
            return insert_after(draft.place(op, op.span), op.lines)
        case InsertInside():
            return insert_inside(draft.place(op, Span(op.span.start, op.span.start + 1)), op.lines)
