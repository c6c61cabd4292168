"""JSON text to a tree of values with their places: strict, and nothing of the text is lost.

Every node knows the characters it stands in, a member those of its key as well, and a key that stands twice
is there twice. What is not JSON is a `Mistake` with its place, never an exception.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, NoReturn, TypeAlias

from msgspec import Struct

from migrate.text import Lines, Span


class Text(Struct, frozen=True):
    """A string: `value` without escapes, `span` with its quotes."""

    value: str
    span: Span


class Number(Struct, frozen=True):
    """A number, as it is written."""

    written: str
    span: Span


class Constant(Struct, frozen=True):
    """`true`, `false` or `null`."""

    value: bool | None
    span: Span


class Array(Struct, frozen=True):
    items: tuple[Node, ...]
    span: Span


class Member(Struct, frozen=True):
    """One `"key": value` of an object; `span` from the key's first quote to the value's end."""

    key: Text
    value: Node

    @property
    def span(self) -> Span:
        return Span(self.key.span.start, self.value.span.end)


class Object(Struct, frozen=True):
    members: tuple[Member, ...]
    span: Span

    def all(self, key: str) -> tuple[Member, ...]:
        """Every member of that key, in order."""
        return tuple(member for member in self.members if member.key.value == key)

    def get(self, key: str) -> Node | None:
        """The value of the last member of that key (as JSON readers have it), or None."""
        found = self.all(key)
        return found[-1].value if found else None


Node: TypeAlias = Object | Array | Text | Number | Constant


class Mistake(Struct, frozen=True):
    """Why a text is not JSON, and where: offset from 0, line from 1."""

    why: str
    offset: int
    line: int


def parse(text: str) -> Node | Mistake:
    """The tree of `text` (a byte order mark in front is passed over), or the first mistake in it."""
    try:
        return _Reader(text).document()
    except _StopError as stop:
        return Mistake(stop.why, stop.offset, Lines(text).line(stop.offset))


def walk(node: Node) -> Iterator[Node]:
    """`node` and every node below it, in the order of the text."""
    yield node
    match node:
        case Object(members):
            for member in members:
                yield from walk(member.value)
        case Array(items):
            for item in items:
                yield from walk(item)
        case _:
            return


class _StopError(Exception):
    def __init__(self, why: str, offset: int) -> None:
        super().__init__(why, offset)
        self.why = why
        self.offset = offset


_DEEPEST: Final = 200  # a text nested deeper is an attack or a dump, and would end in a RecursionError
_BLANK: Final = re.compile(r"[ \t\n\r]*")
_STRING: Final = re.compile(r'"((?:[^"\\\x00-\x1f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*)"')
_ESCAPE: Final = re.compile(
    r"\\u(d[89ab][0-9a-f]{2})\\u(d[c-f][0-9a-f]{2})|\\u([0-9a-f]{4})|\\(.)", re.IGNORECASE
)
_NUMBER: Final = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?")
_WORD: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_CONSTANTS: Final = {"true": True, "false": False, "null": None}
_SHORT: Final = {"b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}


class _Reader:
    """Reads one text from front to end; `_here` is the next character that is not blank."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._here = 1 if text.startswith("\ufeff") else 0

    def document(self) -> Node:
        node = self._value(0)
        if self._next():
            self._stop("something follows the end of the document")
        return node

    def _value(self, depth: int) -> Node:
        if depth > _DEEPEST:
            self._stop(f"nested deeper than {_DEEPEST} levels")
        match self._next():
            case "{":
                return self._object(depth)
            case "[":
                return self._array(depth)
            case '"':
                return self._string()
            case _:
                return self._bare()

    def _object(self, depth: int) -> Object:
        start = self._take()
        members: list[Member] = []
        while not self._closed("}", first=not members):
            if self._next() != '"':
                self._stop("a key in double quotes should stand here")
            key = self._string()
            if self._next() != ":":
                self._stop("a colon should stand here")
            self._take()
            members.append(Member(key, self._value(depth + 1)))
        return Object(tuple(members), Span(start, self._here))

    def _array(self, depth: int) -> Array:
        start = self._take()
        items: list[Node] = []
        while not self._closed("]", first=not items):
            items.append(self._value(depth + 1))
        return Array(tuple(items), Span(start, self._here))

    def _closed(self, bracket: str, *, first: bool) -> bool:
        """Pass the bracket or the comma before the next item; say whether it was the bracket."""
        sign = self._next()
        if sign == bracket:
            self._take()
            return True
        if not first:
            if sign != ",":
                self._stop(f"a comma or {bracket} should stand here")
            self._take()
            if self._next() == bracket:
                self._stop(f"nothing stands between the comma and {bracket}")
        return False

    def _string(self) -> Text:
        found = _STRING.match(self._text, self._here)
        if found is None:
            self._stop("a string that does not end, or holds a bare control character or a wrong escape")
        self._here = found.end()
        return Text(_ESCAPE.sub(_unescaped, found[1]), Span(*found.span()))

    def _bare(self) -> Number | Constant:
        word = _WORD.match(self._text, self._here)
        if word and word[0] in _CONSTANTS:
            self._here = word.end()
            return Constant(_CONSTANTS[word[0]], Span(*word.span()))
        number = _NUMBER.match(self._text, self._here)
        if number is None:
            ended = self._here == len(self._text)
            self._stop("the text ends where a value should stand" if ended else "a value should stand here")
        self._here = number.end()
        return Number(number[0], Span(*number.span()))

    def _next(self) -> str:
        blank = _BLANK.match(self._text, self._here)
        self._here = blank.end() if blank else self._here
        return self._text[self._here : self._here + 1]

    def _take(self) -> int:
        self._here += 1
        return self._here - 1

    def _stop(self, why: str) -> NoReturn:
        raise _StopError(why, self._here)


def _unescaped(escape: re.Match[str]) -> str:
    high, low, single, short = escape.groups()
    if high and low:
        return (chr(int(high, 16)) + chr(int(low, 16))).encode("utf-16", "surrogatepass").decode("utf-16")
    if single:
        return chr(int(single, 16))
    return _SHORT.get(short, short)
