"""New statements as `statement` blocks of a policy document, laid out as the one beside them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from migrate.iam.policy import Principals, Statement, Word
from migrate.spelling.hcl_words import listed, quoted
from migrate.spelling.layout import Notation, Style, Tree, last_comma, members, style_of
from migrate.text import Drop, InsertAfter, Op, Replace, Span, Syntax, lead

_NAMES: Final = ("sid", "effect", "actions", "resources")
_FURTHEST: Final = 200
_PARTED: Final = re.compile(r"[^\s](\r?\n[ \t]*\r?\n[ \t]*)\Z")


class HclBlocks(Struct, frozen=True):
    """A text with `statement` blocks in it."""

    text: str

    def lay(self, after: Statement, new: tuple[Statement, ...]) -> tuple[str, ...]:
        """The new blocks, parted from the one before as that is from what is above it."""
        layout = _layout(after.span.of(self.text))
        gap = [] if self._is_crowded(after) else [""]
        return tuple(line for one in new for line in (*gap, *layout.block("statement", layout.body(one))))

    def insert(self, after: Statement, lines: tuple[str, ...]) -> Op:
        return InsertAfter(after.span, lines, Syntax.HCL)

    def drop(self, span: Span) -> Op:
        """A block goes with the blank line that parts it from what is above."""
        if not span.of(self.text).startswith("statement"):
            return Drop(span, Syntax.HCL)
        above = _PARTED.search(self.text, max(0, span.start - _FURTHEST), span.start)
        return Replace(Span(above.start(1), span.end), "", Syntax.HCL) if above else Drop(span, Syntax.HCL)

    def _is_crowded(self, after: Statement) -> bool:
        above = self.text[: after.span.start].rstrip(" \t")
        return re.search(r"\}\r?\n\Z", above) is not None


def twin(text: str, outer: Span, content: Span, new: Statement) -> str:
    """The block `outer` once more, with another statement in place of its `content`."""
    layout = _layout(content.of(text))
    lines = layout.block("content", layout.body(new))
    inner = "\n".join([lines[0], *(_indent(text, content) + line if line else "" for line in lines[1:])])
    whole = text[outer.start : content.start] + inner + text[content.end : outer.end]
    first, *rest = whole.splitlines()
    return "\n".join([first, *(line.removeprefix(_indent(text, outer)) for line in rest)])


def _indent(text: str, span: Span) -> str:
    before = lead(text, span.start)
    return "" if before.strip() else before


def _layout(written: str) -> _Layout:
    """The layout of a block as it is written."""
    style = style_of(written, _NAMES)
    notation = Notation(str, " = ", "", aligned=True, last=last_comma(written))
    return _Layout(replace(style, unit=style.unit or "  "), notation, "$${" if "$${" in written else "&{")


class _Layout(Struct, frozen=True):
    """`variable` is how a policy variable begins there."""

    style: Style
    notation: Notation
    variable: str

    def block(self, name: str, body: Iterator[str]) -> list[str]:
        return [f"{name} {{", *(self.style.unit + line if line else "" for line in body), "}"]

    def body(self, statement: Statement) -> Iterator[str]:
        """Arguments, then principals and conditions, each a block of its own behind a blank line."""
        yield from members(self._arguments(statement), self.style, self.notation)
        for name, arguments in (*self._principals(statement.principals), *self._conditions(statement)):
            yield from ("", *self.block(name, members(arguments, self.style, self.notation)))

    def _arguments(self, statement: Statement) -> Mapping[str, Tree]:
        """In the order of the block beside; without effect where that has none."""
        words = statement.resources.words if statement.resources else ()
        arguments: dict[str, Tree] = {
            "sid": self._quoted(Word((statement.sid,))),
            "effect": self._quoted(Word((statement.effect,))),
            "actions": self._list(statement.actions.words),
            "resources": self._list(words),
        }
        order = self.style.order
        names = dict.fromkeys((*(() if "sid" in order else ("sid",)), *order, *_NAMES))
        return {name: arguments[name] for name in names if name != "effect" or name in order}

    def _principals(self, principals: Principals | None) -> Iterator[tuple[str, Mapping[str, Tree]]]:
        name = "not_principals" if principals and principals.negated else "principals"
        for kind, group in groupby(principals.named if principals else (), key=lambda one: one.kind):
            identifiers = self._list(one.word for one in group)
            yield name, {"type": self._quoted(Word((kind,))), "identifiers": identifiers}

    def _conditions(self, statement: Statement) -> Iterator[tuple[str, Mapping[str, Tree]]]:
        for one in statement.conditions:
            test, variable = (self._quoted(Word((text,))) for text in (one.operator, one.key))
            yield "condition", {"test": test, "variable": variable, "values": self._list(one.values)}

    def _list(self, words: Iterable[Word]) -> Tree:
        return listed(tuple(words), self._quoted)

    def _quoted(self, word: Word) -> str:
        return quoted(word).replace("$${", self.variable)
