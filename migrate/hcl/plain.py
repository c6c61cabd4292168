"""HCL as most people write it, line by line, without a grammar.

Most `terraform` blocks and partial files hold nothing but literals, and blocks and objects of these, each on
a line of its own. Those are read here by one pattern a line: in a quarter of the time of the grammar, which
need not even be loaded. All else is left to the grammar, and a test holds the two against each other.
"""

from __future__ import annotations

import re
from typing import Final

from migrate.hcl.values import Argument, Block, Item, Literal, Object, Value
from migrate.text import Span

_NAME: Final = r"[A-Za-z_][A-Za-z0-9_-]*+"
_STRING: Final = r'"[^"\\$%\x00-\x1f\x7f]*+"'
_LINE: Final = re.compile(
    rf"""[ \t]*+(?:
        (?P<argument>(?P<name>{_NAME})[ \t]*+=[ \t]*+(?P<value>{_STRING}|true|false|null|\d++(?:\.\d++)?))
        |(?P<block>(?P<type>{_NAME})(?P<labels>(?>(?:[ \t]++{_STRING})*))[ \t]*+\{{)(?P<empty>[ \t]*+\}})?
        |(?P<object>(?P<key>{_NAME})[ \t]*+=[ \t]*+\{{)
        |(?P<close>\}})
    )?[ \t]*+(?:(?:\#|//)[^\x00-\x08\x0a-\x1f\x7f]*+)?(?:\r?\n|\Z)
    |(?P<odd>.)""",
    re.VERBOSE | re.DOTALL,
)
_LABEL: Final = re.compile(r'"([^"]*)"')
_WORDS: Final[dict[str, bool | None]] = {"true": True, "false": False, "null": None}


class _Odd(Exception):  # noqa: N818 - never leaves this module
    """Not plain."""


def plain(text: str, part: Span) -> tuple[Item, ...] | None:
    """The blocks and arguments of a part of `text`; None where it takes the grammar to tell."""
    try:
        items, end = _Pass(text, part).body()
    except _Odd:
        return None
    return items if end is None else None  # a `}` too many


class _Pass:
    """One way through the lines; whoever opens a brace goes on to the line that closes it."""

    def __init__(self, text: str, part: Span) -> None:
        self._lines = _LINE.finditer(text, part.start, part.end)

    def body(self) -> tuple[tuple[Item, ...], int | None]:
        """What stands up to the next `}`, and the end of that; None: up to the end of the text."""
        items: list[Item] = []
        for line in self._lines:
            match line.lastgroup:
                case None:
                    pass
                case "close":
                    return tuple(items), line.end("close")
                case kind:
                    items.append(self._item(kind, line))
        return tuple(items), None

    def _item(self, kind: str, line: re.Match[str]) -> Item:
        match kind:
            case "argument":
                literal = Literal(_literal(line["value"]), Span(*line.span("value")))
                return Argument(line["name"], literal, Span(*line.span("argument")))
            case "object":
                value = self._object(line.end("object") - 1)
                return Argument(line["key"], value, Span(line.start("key"), value.span.end))
            case "block":
                return _block(line, *self._inner())
            case "empty":
                return _block(line, (), line.end("empty"))
            case _:
                raise _Odd

    def _inner(self) -> tuple[tuple[Item, ...], int]:
        items, end = self.body()
        if end is None:
            raise _Odd
        return items, end

    def _object(self, start: int) -> Value:
        """`for` begins something else there, and a block is none of its items."""
        items, end = self._inner()
        arguments = tuple(item for item in items if isinstance(item, Argument) and item.name != "for")
        if len(arguments) < len(items):
            raise _Odd
        return Object(arguments, Span(start, end))


def _literal(written: str) -> str | bool | None:
    return written[1:-1] if written[0] == '"' else _WORDS.get(written, written)


def _block(line: re.Match[str], items: tuple[Item, ...], end: int) -> Block:
    start, brace = line.start("type"), line.end("block") - 1
    return Block(
        line["type"], tuple(_LABEL.findall(line["labels"])), items, Span(start, end), Span(brace, end)
    )
