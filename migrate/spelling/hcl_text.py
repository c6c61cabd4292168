"""Policies as objects of HCL, the arguments of `jsonencode`, and new statements beside theirs."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from msgspec import Struct

from migrate import hcl
from migrate.iam.glob import Hole
from migrate.iam.policy import Part, Policy, Statement, Word
from migrate.iam.read import Reading, as_json, read_policy
from migrate.jsontree import Array, Constant, Member, Node, Object, Text
from migrate.spelling.beside import beside
from migrate.spelling.hcl_words import JOINING, listed, parts_of, quoted, words_of
from migrate.spelling.layout import Notation, laid, last_comma
from migrate.text import Drop, Op, Span, Syntax

_NAME: Final = re.compile(r"[A-Za-z_][\w-]*")
_EFFECT: Final = re.compile(r'("?)Effect"?(\s*[=:]\s*)"\w+"(,?)')


class HclText(Struct, frozen=True):
    """An object of HCL that is a policy."""

    text: str
    value: hcl.Object

    def policy(self, where: Callable[[Span], str]) -> Policy | None:
        """The policy it is, if it is one."""
        tree = _Tree(self.text)
        node = tree.object(self.value)
        return read_policy(node, "", Reading(tree.spell, where)) if node.get("Statement") else None

    def lay(self, after: Statement, new: tuple[Statement, ...]) -> tuple[str, ...]:
        written = after.span.of(self.text)
        return laid(new, written, _quoted, _notation(written), lambda words: listed(words, _quoted))

    def insert(self, after: Statement, lines: tuple[str, ...]) -> Op:
        return beside(self.text, after.span, lines, Syntax.HCL)

    def drop(self, span: Span) -> Op:
        return Drop(span, Syntax.HCL)


class _Tree:
    """Values of HCL as JSON has them; what is neither object nor list is a string of parts."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._parts: dict[Span, tuple[Part, ...]] = {}

    def object(self, value: hcl.Object) -> Object:
        members = (Member(_key(item), self._member(item.value)) for item in value.items)
        return Object(tuple(members), value.span)

    def spell(self, node: Node) -> tuple[Part, ...] | None:
        return self._parts.get(node.span, as_json(node))

    def _node(self, value: hcl.Value) -> Node:
        match value:
            case hcl.Object():
                return self.object(value)
            case hcl.List(items):
                return Array(tuple(self._node(item) for item in items), value.span)
            case hcl.Literal(bool() | None as constant):
                return Constant(constant, value.span)
            case hcl.Literal(str(literal)):
                return Text(literal, value.span)
            case _:
                return self._word(Word(parts_of(self._text, value), value.span))

    def _member(self, value: hcl.Value) -> Node:
        """What an element is set to: where that is an expression, it may make a string or a list of them."""
        match value:
            case hcl.Call(name, arguments) if name in JOINING:
                return Array(tuple(node for one in arguments for node in self._items(one)), value.span)
            case hcl.Call() | hcl.Choice() | hcl.Other():
                return Array(self._items(value), value.span)
            case _:
                return self._node(value)

    def _items(self, value: hcl.Value) -> tuple[Node, ...]:
        if isinstance(value, hcl.List):
            return tuple(self._node(item) for item in value.items)
        return tuple(self._word(_unflattened(word)) for word in words_of(self._text, value))

    def _word(self, word: Word) -> Text:
        self._parts[word.span] = word.parts
        return Text("", word.span)


_FLATTENED: Final = re.compile(r"\$\{flatten\(\[(.*)\]\)\}", re.DOTALL)


def _unflattened(word: Word) -> Word:
    """The word without what `_quoted` puts around an expression."""
    first, *behind = word.parts
    found = _FLATTENED.fullmatch(first.symbol) if isinstance(first, Hole) and first.several else None
    return Word((Hole(f"${{{found[1]}}}", several=True), *behind), word.span) if found else word


def _quoted(word: Word) -> str:
    """A word in `jsonencode`, where an expression may make one string or a list: flattened, it is a list."""
    match word.parts:
        case (Hole(symbol, several=True), str(behind)) if not symbol.startswith("${["):
            return quoted(Word((Hole(f"${{flatten([{symbol[2:-1]}])}}", several=True), behind)))
        case _:
            return quoted(word)


def _key(item: hcl.Argument) -> Text:
    name = item.name or ""
    return Text(name, Span(item.span.start, item.span.start + len(name)))


def _notation(written: str) -> Notation:
    """How the statement beside writes its members: with quotes, `=` or `:`, commas, or without."""
    found = _EFFECT.search(written)
    quote, assign, comma = found.groups() if found else ("", "=", "")
    in_line, aligned = "\n" not in written, "=" in assign

    def key(name: str) -> str:
        return f'"{name}"' if quote or not _NAME.fullmatch(name) else name

    assigned = " = " if aligned else assign
    return Notation(key, assigned, "" if in_line else comma, aligned and not in_line, last_comma(written))
