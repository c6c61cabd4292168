"""Block collections: values that end where the indent says so."""

from __future__ import annotations

import re
import textwrap
from bisect import bisect_left
from collections.abc import Iterator
from typing import Final

from msgspec import Struct

from migrate.text import Span
from migrate.yamltree.flow import DEEPEST, FOLD, PROPERTIES, Flow, scalar
from migrate.yamltree.tree import Anchors, Mapping, Member, Node, Scalar, Sequence

_LINE: Final = re.compile(r"(?m)^\ufeff?+([ \t]*)([^\s#][^\r\n]*)")
_TEMPLATE: Final = re.compile(r"\{\{[^\n]*\}\}\s*$|\{%[^\n]*%\}\s*$|%")
_MARK: Final = re.compile(r"(?:---|\.\.\.)(?:[ \t]+|$)")
_DASH: Final = re.compile(r"-(?:[ \t]+|$)")
_PLAIN_KEY: Final = (
    r"(?:[^\s\-?:,\[\]{}#&*!|>'\"%@`]|[-?:](?=\S)|\$?\{\{.*?\}\})(?>(?:[^\n:#]|:(?=\S)|(?<=\S)#)*)"
)
_KEY: Final = re.compile(
    rf"(?:\"(?P<double>(?>(?:[^\"\\\n]|\\.)*))\"|'(?P<single>(?>(?:[^'\n]|'')*))'|(?P<plain>{_PLAIN_KEY}))"
    r"[ \t]*:(?:[ \t]+|$)"
)
_BLOCK: Final = re.compile(r"[|>][-+0-9]*[ \t]*(?:#.*)?$")
_PLAIN: Final = re.compile(r"(?:\S|[ \t]+(?!#|[ \t]|$))+")
_RAW: Final = re.compile(r"([ \t]*)([^\r\n]*)(?:\r?\n|\Z)")


class _Line(Struct, frozen=True):
    """What stands from `start` to `end` of the text, `indent` columns in."""

    indent: int
    start: int
    end: int


class Reader:
    """Reads one text line by line; `_now` is the first line that no value holds yet."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._lines = [
            _Line(len(m[1]), m.start(2), m.end(2)) for m in _LINE.finditer(text) if not _TEMPLATE.match(m[2])
        ]
        self._starts = [line.start for line in self._lines]
        self._now = 0
        self._anchors: Anchors = {}

    def documents(self) -> Iterator[Node]:
        while self._now < len(self._lines):
            line, before = self._lines[self._now], self._now
            mark = self._mark(line)
            if mark and mark.end() < line.end and self._text[mark.end()] != "#":
                self._lines[self._now] = _Line(mark.end() - mark.start(), mark.end(), line.end)
            elif mark:
                self._now += 1
            elif (node := self._block(0, 0)) is not None:
                yield node
            else:
                self._now = max(self._now, before + 1)

    def _mark(self, line: _Line) -> re.Match[str] | None:
        return _MARK.match(self._text, line.start, line.end) if line.indent == 0 else None

    def _peek(self) -> _Line | None:
        """The next line of this document."""
        line = self._lines[self._now] if self._now < len(self._lines) else None
        return line if line and not self._mark(line) else None

    def _next(self, indent: int) -> _Line | None:
        """The next line at exactly that indent; what stands deeper belongs to nothing and is passed over."""
        while (line := self._peek()) and line.indent > indent:
            self._now += 1
        return line if line and line.indent == indent else None

    def _block(self, least: int, depth: int) -> Node | None:
        """What begins at the next line, if that is indented enough."""
        line = self._peek()
        if line is None or line.indent < least or depth > DEEPEST:
            return None
        if _DASH.match(self._text, line.start, line.end):
            return self._sequence(line.indent, depth + 1)
        if _KEY.match(self._text, line.start, line.end):
            return self._mapping(line.indent, depth + 1)
        return self._value(line.start, least - 1)

    def _sequence(self, indent: int, depth: int) -> Sequence:
        items: list[Node | None] = []
        while line := self._next(indent):
            dash = _DASH.match(self._text, line.start, line.end)
            if dash is None:
                break
            anchor, start = self._content(dash.end(), line.end)
            if start is None:
                self._now += 1
            else:
                indented = indent + start - line.start
                self._lines[self._now] = _Line(indented, start, line.end)
            items.append(self._anchored(anchor, self._block(indent + 1, depth)))
        return Sequence(tuple(items))

    def _mapping(self, indent: int, depth: int) -> Mapping:
        members = []
        while line := self._next(indent):
            key = _KEY.match(self._text, line.start, line.end)
            if key is None:
                if _DASH.match(self._text, line.start, line.end):
                    break
                self._now += 1
                continue
            anchor, start = self._content(key.end(), line.end)
            value = self._below(indent, depth) if start is None else self._value(start, indent)
            members.append(Member(scalar(key), self._anchored(anchor, value)))
        return Mapping(tuple(members))

    def _below(self, indent: int, depth: int) -> Node | None:
        """The value of a key that has none on its own line; a sequence may stand as far out as its key."""
        self._now += 1
        line = self._peek()
        if line and line.indent == indent and _DASH.match(self._text, line.start, line.end):
            return self._sequence(indent, depth + 1)
        return self._block(indent + 1, depth)

    def _content(self, start: int, end: int) -> tuple[str | None, int | None]:
        """The anchor of a value, and where it begins after that and its tag; None where the line has none."""
        properties = PROPERTIES.match(self._text, start, end)
        anchor, start = (properties["anchor"], properties.end()) if properties else (None, start)
        return anchor, None if start >= end or self._text[start] == "#" else start

    def _anchored(self, anchor: str | None, node: Node | None) -> Node | None:
        if anchor:
            self._anchors[anchor] = node
        return node

    def _value(self, start: int, outer: int) -> Node:
        """A scalar, alias or flow collection that begins at `start`, deeper than `outer` where it goes on."""
        text, end = self._text, self._lines[self._now].end
        if _BLOCK.match(text, start, end):
            return self._literal(end, outer)
        if text[start] in "\"'[{*" and not text.startswith("{{", start):
            flow = Flow(text, start, self._anchors)
            node = flow.node(0)
            if node is not None:
                self._now = bisect_left(self._starts, flow.at)
                return node
        return self._plain(start, outer)

    def _plain(self, start: int, outer: int) -> Scalar:
        found = _PLAIN.match(self._text, start, self._lines[self._now].end)
        end = found.end() if found else start
        self._now += 1
        while (line := self._peek()) and line.indent > outer:
            found = _PLAIN.match(self._text, line.start, line.end)
            end = found.end() if found else end
            self._now += 1
        return Scalar(FOLD.sub(" ", self._text[start:end]), Span(start, end), "plain")

    def _literal(self, end: int, outer: int) -> Scalar:
        """The lines after `end` that are blank or deeper than `outer`."""
        start = stop = self._text.find("\n", end) + 1 or len(self._text)
        for line in _RAW.finditer(self._text, start):
            if line[2] and len(line[1]) <= outer:
                break
            stop = line.end() if line[2] else stop
        self._now = bisect_left(self._starts, stop)
        lines = textwrap.dedent(self._text[start:stop]).replace("\r\n", "\n")
        return Scalar(lines, Span(start, stop), "block")
