"""Policies in CloudFormation templates of YAML, and new statements beside theirs."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Final

from msgspec import Struct

from migrate.iam.policy import Part, Statement, Word
from migrate.spelling import cfn_words
from migrate.spelling.layout import Style, Tree, tree_of
from migrate.text import Drop, InsertAfter, Op, Span, Syntax, line_start

_DASH: Final = re.compile(r"(?:^|\n)[ \t]*(-[ \t]*(?:\r?\n[ \t]*)?)\Z")  # on its line, or on one of its own
_FURTHEST: Final = 200
_ITEM: Final = re.compile(r"(?:^|\n)[ \t]*(-[ \t]+)\Z")
_ENDING: Final = re.compile(r"[ \t]*(?:#|\r?\n|$)")
_ELEMENT: Final = re.compile(r"(?m)^[ \t-]*(\w+):[ \t]*(\S)?")
_LISTED: Final = re.compile(r"(?m)^([ \t]*)(?:-[ \t]+)?\w+:[ \t]*\r?\n([ \t]*)-[ \t]")
_PLAIN: Final = re.compile(r"[A-Za-z0-9_/][\w/.:=@+*?-]*(?<!:)")
_QUOTE: Final = re.compile(r"[:\-][ \t]+(['\"])(?:Allow|Deny|s3:|dynamodb:)")
_ANY_QUOTE: Final = re.compile(r"[:\-][ \t]+(?:!Sub[ \t]+)?(['\"])[\w$]")


class CfnYaml(Struct, frozen=True):
    text: str

    def lay(self, after: Statement, new: tuple[Statement, ...]) -> tuple[str, ...]:
        """New statements in the style of the one before them, each an item of the list."""
        written = self._item(after).of(self.text)
        layout = _Layout(written)
        return tuple(line for one in new for line in layout.item(one))

    def insert(self, after: Statement, lines: tuple[str, ...]) -> Op:
        return InsertAfter(self._item(after), lines, Syntax.PLAIN)

    def drop(self, span: Span) -> Op | None:
        """An item of a list with lines of its own; no part of a line."""
        dash = _ITEM.search(self.text, max(0, span.start - _FURTHEST), span.start)
        alone = _ENDING.match(self.text, span.end) is not None
        return Drop(Span(dash.start(1), span.end), Syntax.PLAIN) if dash and alone else None

    def is_item(self, statement: Statement) -> bool:
        """Whether the statement is an item of a list with lines of its own."""
        return self._dash(statement) is not None

    def _item(self, statement: Statement) -> Span:
        dash = self._dash(statement)
        return Span(statement.span.start - len(dash[1]) if dash else statement.span.start, statement.span.end)

    def _dash(self, statement: Statement) -> re.Match[str] | None:
        start = statement.span.start
        return _DASH.search(self.text, max(0, start - _FURTHEST), start)


class _Layout:
    """How a statement is written: the order of its elements, its quotes, and the form of its lists."""

    def __init__(self, written: str) -> None:
        found = _ELEMENT.findall(written)
        self._style = Style(
            "  ",
            tuple(name for name, _ in found),
            frozenset(name for name, sign in found if sign and sign not in "[|>"),
        )
        listed = _LISTED.search(written)
        self._flow = listed is None and re.search(r":[ \t]*\[", written) is not None
        quote, sign = _QUOTE.search(written), _ANY_QUOTE.search(written)
        self._bare, self._sign = quote is None, sign[1] if sign else '"'
        self._nested = "" if listed and self._is_level(written, listed) else "  "

    def item(self, statement: Statement) -> Iterator[str]:
        tree = tree_of(statement, self._spelt, self._style)
        first, *rest = self._lines(tree)
        yield f"- {first}"
        yield from (f"  {line}" for line in rest)

    def _is_level(self, written: str, listed: re.Match[str]) -> bool:
        """Whether the items of a list stand as far out as its key."""
        start = line_start(written, listed.start())
        dash = re.match(r"[ \t]*-[ \t]+", written[start:])
        key = len(dash[0]) if dash else len(listed[1])
        first_line = listed.start() == 0
        return not first_line and len(listed[2]) <= key

    def _lines(self, tree: Mapping[str, Tree]) -> Iterator[str]:
        for name, one in tree.items():
            match one:
                case str():
                    yield f"{name}: {one}"
                case Mapping():
                    yield f"{name}:"
                    yield from (f"  {line}" for line in self._lines(one))
                case _ if self._flow:
                    yield f"{name}: [{', '.join(map(str, one))}]"
                case _:
                    yield f"{name}:"
                    yield from (f"{self._nested}- {item}" for item in one)

    def _spelt(self, word: Word) -> str:
        """A word; with expressions `!Sub`, and where that cannot name them `!Join`."""
        if not cfn_words.has_holes(word):
            return self._quoted(str(word))
        text = cfn_words.substitution(word)
        if text is not None:
            return f"!Sub {self._in_quotes(text)}"
        return f'!Join ["", [{", ".join(map(self._joined, word.parts))}]]'

    def _joined(self, part: Part) -> str:
        """One of several parts: a text, a name that is filled in, or a function as it is written."""
        if isinstance(part, str):
            return _double(part)
        text = cfn_words.substitution(Word((part,)))
        return part.symbol if text is None else f"!Sub {self._in_quotes(text)}"

    def _quoted(self, text: str) -> str:
        """Without quotes where the statement beside has none, and YAML needs none."""
        return text if self._bare and _PLAIN.fullmatch(text) else self._in_quotes(text)

    def _in_quotes(self, text: str) -> str:
        return "'" + text.replace("'", "''") + "'" if self._sign == "'" else _double(text)


def _double(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'
