"""Flow collections and quoted text: values that end where their own signs say so."""

from __future__ import annotations

import re
from typing import Final

from migrate.text import Span
from migrate.yamltree.tree import Alias, Anchors, Mapping, Member, Node, Scalar, Sequence

DEEPEST: Final = 100  # a text nested deeper is an attack, and would end in a RecursionError
PROPERTIES: Final = re.compile(r"(?:(?:&(?P<anchor>[^\s,\[\]{}]*)|![^\s,\[\]{}]*)(?:[ \t]+|$))*")
_QUOTED: Final = re.compile(
    r"\"(?P<double>(?>(?:[^\"\\]|\\.)*))\"|'(?P<single>(?>(?:[^']|'')*))'|\*(?P<alias>[^\s,\[\]{}]+)",
    re.DOTALL,
)
_PLAIN: Final = re.compile(
    r"(?P<plain>(?:\$?\{\{.*?\}\}|[^\s,\[\]{}:#]|:(?![\s,\[\]{}])"
    r"|[ \t]+(?=[^\s,\[\]{}:#]|:(?![\s,\[\]{}]))|(?<=\S)#)+)"
)
_GAP: Final = re.compile(r"(?:\s|(?<=\s)#[^\n]*)*")
_JOINED: Final = re.compile(r"\\\r?\n[ \t]*")
_ESCAPE: Final = re.compile(r"\\(x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|.)")
_SHORT: Final = {"n": "\n", "t": "\t", "r": "\r", "0": "\0", "e": "\x1b", "b": "\b", "a": "\a"}
FOLD: Final = re.compile(r"[ \t]*\r?\n\s*")


class Flow:
    """Reads `[…]`, `{…}`, quoted text and aliases from `at` on; None where one does not end.

    `anchors` are those that stand before it; its own are added.
    """

    def __init__(self, text: str, at: int, anchors: Anchors) -> None:
        self._text, self._anchors = text, anchors
        self.at = at

    def node(self, depth: int) -> Node | None:
        self._next()
        properties = PROPERTIES.match(self._text, self.at)
        self.at = properties.end() if properties else self.at
        node = self._bare(depth)
        if properties and properties["anchor"]:
            self._anchors[properties["anchor"]] = node
        return node

    def _bare(self, depth: int) -> Node | None:
        """A value behind its anchor and tag."""
        sign = self._next()
        if sign in ("[", "{") and depth > DEEPEST:
            return None
        if sign == "[":
            return self._sequence(depth)
        if sign == "{" and not self._text.startswith("{{", self.at):
            return self._mapping(depth)
        found = _QUOTED.match(self._text, self.at) or _PLAIN.match(self._text, self.at)
        if found is None:
            return None
        self.at = found.end()
        if found.lastgroup == "alias":
            return Alias(found["alias"], Span(*found.span()), self._anchors.get(found["alias"]))
        return scalar(found)

    def _sequence(self, depth: int) -> Sequence | None:
        self.at += 1
        items: list[Node | None] = []
        while (sign := self._past_commas()) != "]":
            item = self.node(depth + 1) if sign else None
            if item is None:
                return None
            if self._next() == ":" and isinstance(item, Scalar):
                item = Mapping((Member(item, self._after_colon(depth)),))
            items.append(item)
        self.at += 1
        return Sequence(tuple(items))

    def _mapping(self, depth: int) -> Mapping | None:
        self.at += 1
        members = []
        while (sign := self._past_commas()) != "}":
            key = self.node(depth + 1) if sign else None
            if not isinstance(key, Scalar):
                return None
            members.append(Member(key, self._after_colon(depth) if self._next() == ":" else None))
        self.at += 1
        return Mapping(tuple(members))

    def _after_colon(self, depth: int) -> Node | None:
        self.at += 1
        return None if self._next() in (",", "]", "}") else self.node(depth + 1)

    def _past_commas(self) -> str:
        """The next character that is neither blank nor a comma, nor in a comment; empty at the end."""
        while self._next() == ",":
            self.at += 1
        return self._next()

    def _next(self) -> str:
        gap = _GAP.match(self._text, self.at)
        self.at = gap.end() if gap else self.at
        return self._text[self.at : self.at + 1]


def scalar(found: re.Match[str]) -> Scalar:
    """A key or a value by the group of its quotes."""
    match found.lastgroup:
        case "double":
            value = _ESCAPE.sub(_unescaped, FOLD.sub(" ", _JOINED.sub("", found["double"])))
            return Scalar(value, Span(*found.span("double")), "double")
        case "single":
            value = FOLD.sub(" ", found["single"]).replace("''", "'")
            return Scalar(value, Span(*found.span("single")), "single")
        case _:
            plain = found["plain"].rstrip()
            start = found.start("plain")
            return Scalar(plain, Span(start, start + len(plain)), "plain")


def _unescaped(escape: re.Match[str]) -> str:
    sign = escape[1]
    if sign[0] in "xu" and len(sign) > 1:
        return chr(int(sign[1:], 16))
    return _SHORT.get(sign, sign)
