"""Places in a text, and the operations that change them.

Nothing here reads or writes a file and nothing knows what a text is about: a dialect answers with operations,
`migrate.compose` applies those of one file.
"""

import re
from enum import Enum
from typing import Final

from msgspec import Struct


class Span(Struct, frozen=True, order=True):
    """Characters `start` up to but not including `end` of a text, counted from 0."""

    start: int
    end: int

    def __post_init__(self) -> None:
        if not 0 <= self.start <= self.end:
            raise ValueError(f"not a span: {self.start} to {self.end}")

    def __len__(self) -> int:
        return self.end - self.start

    def of(self, text: str) -> str:
        """The characters of `text` at this span."""
        return text[self.start : self.end]

    def contains(self, other: "Span") -> bool:
        return self.start <= other.start and other.end <= self.end

    def overlaps(self, other: "Span") -> bool:
        return self.start < other.end and other.start < self.end


def line_start(text: str, at: int) -> int:
    """Where the line of an offset begins."""
    return text.rfind("\n", 0, at) + 1


def lead(text: str, at: int) -> str:
    """What stands before an offset on its line."""
    return text[line_start(text, at) : at]


def begins_line(text: str, at: int) -> bool:
    """Whether nothing but blanks, or a byte order mark, stands before an offset on its line.

    To look for a word and ask this takes a tenth of the time of a pattern that looks for starts of lines.
    """
    return not lead(text, at).strip(" \t\ufeff")


def stands_alone(text: str, span: Span) -> bool:
    """Whether its lines hold nothing else than a thing, its comma and a comment behind it."""
    return begins_line(text, span.start) and _LINE_ENDS.match(text, span.end) is not None


_LINE_ENDS: Final = re.compile(r"[ \t]*,?[ \t]*(?:\r?\n|\Z|#|//)")


class Lines:
    """Which line an offset stands in. Counts on from the last one asked for: in order, all cost one pass."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._last = (0, 1)

    def line(self, offset: int) -> int:
        """The line of `offset`, counted from 1."""
        seen, line = self._last if offset >= self._last[0] else (0, 1)
        self._last = (offset, line + self._text.count("\n", seen, offset))
        return self._last[1]


class Syntax(Enum):
    """What separates things from their neighbours, and so what an operation must keep right."""

    HCL = "hcl"
    """Arguments on lines of their own or of one-line blocks, items of objects; `=` and comments align."""
    JSON = "json"
    """Members parted by commas; none after the last."""
    PLAIN = "plain"
    """Whole lines: YAML, shell, Make, environment files."""


class Replace(Struct, frozen=True):
    """Write `new` in place of the characters at `span`."""

    span: Span
    new: str
    syntax: Syntax
    within: Span | None = None


class Drop(Struct, frozen=True):
    """Take out the thing at `span`: with its lines and trailing comment, only itself where it shares them."""

    span: Span
    syntax: Syntax
    within: Span | None = None


class InsertAfter(Struct, frozen=True):
    """Add `lines` (no indent, no line end) after the thing at `span`, indented as it is."""

    span: Span
    lines: tuple[str, ...]
    syntax: Syntax
    within: Span | None = None


class InsertInside(Struct, frozen=True):
    """Add `lines` (no indent, no line end) as the first in the braces from `{` to `}` at `span`."""

    span: Span
    lines: tuple[str, ...]
    syntax: Syntax
    within: Span | None = None


Op = Replace | Drop | InsertAfter | InsertInside
"""One operation on a text. `within` is the part of it that is a document of that syntax, such as a heredoc;
None: all of it."""


class Conflict(Struct, frozen=True):
    """Two operations that want different things of one place."""

    one: Op
    other: Op
