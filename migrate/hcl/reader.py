"""Nodes of tree-sitter to the values of this program."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Final

from tree_sitter import Node

from migrate.hcl.strings import unescaped
from migrate.hcl.values import (
    Argument,
    Block,
    Call,
    Choice,
    Heredoc,
    Item,
    List,
    Literal,
    Object,
    Other,
    Template,
    Value,
)
from migrate.text import Span

_DEEPEST: Final = 60  # a value nested deeper is `Other`: nothing this program reads is
_NAME: Final = re.compile(r'([^\W\d][\w-]*)|"([^"\\$%]*)"')
_WRAPPERS: Final = frozenset(
    {"expression", "literal_value", "collection_value", "template_expr", "operation"}
)
_TEMPLATE_PARTS: Final = frozenset(
    {
        "quoted_template_start",
        "quoted_template_end",
        "heredoc_start",
        "heredoc_identifier",
        "template_literal",
    }
)
_WORDS: Final[dict[str, bool | None]] = {"true": True, "false": False, "null": None}


class Reader:
    """Turns nodes into values. `crowded`: what shares a line with another thing; HCL's own parser objects."""

    def __init__(self, text: str, start: int) -> None:
        self._text = text
        self._start = start
        self.crowded: list[Span] = []

    def items(self, node: Node, depth: int) -> tuple[Item, ...]:
        """The blocks and arguments of a file or of a block."""
        children = [
            child for body in node.named_children if body.type == "body" for child in body.named_children
        ]
        made = [self._item(child, depth) for child in children if not child.has_error]
        items = tuple(item for item in made if item)
        self._check_apart(items, "\n")
        return items

    def _item(self, node: Node, depth: int) -> Item | None:
        match node.type:
            case "attribute":
                name, value = node.named_children[0], node.named_children[-1]
                return Argument(self._of(name), self._value(value, depth), self._span(node))
            case "block" if depth < _DEEPEST:
                return self._block(node, depth + 1)
            case _:
                return None

    def _block(self, node: Node, depth: int) -> Block:
        names = [child for child in node.named_children if child.type in ("identifier", "string_lit")]
        start, end = (child for child in node.named_children if child.type in ("block_start", "block_end"))
        braces = Span(self._span(start).start, self._span(end).end)
        labels = tuple(self._of(label).strip('"') for label in names[1:])
        return Block(self._of(names[0]), labels, self.items(node, depth), self._span(node), braces)

    def _value(self, node: Node, depth: int) -> Value:
        span = self._span(node)
        while node.type in _WRAPPERS and node.named_child_count == 1:
            node = node.named_children[0]
        if depth > _DEEPEST:
            return Other(span)
        match node.type:
            case "numeric_lit":
                return Literal(self._of(node), span)
            case "bool_lit" | "null_lit":
                return Literal(_WORDS[self._of(node)], span)
            case "string_lit":
                return Literal(unescaped(self._of(node)[1:-1]), span)
            case "unary_operation":
                return self._unary(node, span, depth)
            case "quoted_template":
                return self._template(node, span, depth)
            case "heredoc_template":
                return self._heredoc(node, span, depth)
            case _:
                return self._compound(node, span, depth)

    def _compound(self, node: Node, span: Span, depth: int) -> Value:
        match node.type:
            case "object":
                items = tuple(
                    self._member(child, depth) for child in node.named_children if child.type == "object_elem"
                )
                self._check_apart(items, ",\n")
                return Object(items, span)
            case "tuple":
                return List(self._values(node, depth), span)
            case "conditional" if node.named_child_count == 3:
                condition, yes, no = self._values(node, depth)
                return Choice(condition, yes, no, span)
            case "function_call":
                parts = [child for child in node.named_children if child.type == "function_arguments"]
                arguments = self._values(parts[0], depth) if parts else ()
                return Call(self._of(node.named_children[0]), arguments, span)
            case _:
                return Other(span)

    def _values(self, node: Node, depth: int) -> tuple[Value, ...]:
        return tuple(
            self._value(child, depth + 1) for child in node.named_children if child.type == "expression"
        )

    def _member(self, node: Node, depth: int) -> Argument:
        parts = [child for child in node.named_children if child.type == "expression"]
        key, value = parts[0], parts[-1]
        bare = _NAME.fullmatch(self._of(key))
        return Argument(bare[1] or bare[2] if bare else None, self._value(value, depth + 1), self._span(node))

    def _unary(self, node: Node, span: Span, depth: int) -> Value:
        inner = self._value(node.named_children[-1], depth + 1)
        sign = self._of(node)[0]
        match inner:
            case Literal(bool() as value) if sign == "!":
                return Literal(not value, span)
            case Literal(str() as value) if sign == "-":
                return Literal(f"-{value}", span)
            case _:
                return Other(span)

    def _template(self, node: Node, span: Span, depth: int) -> Value:
        inner = self._span(node)
        pieces = self._pieces(node, Span(inner.start + 1, inner.end - 1), depth)
        match pieces:
            case None:
                return Other(span)
            case (Literal(value),):  # `"${true}"` is true, and no string
                return Literal(value, span)
            case _:
                return Template(pieces, span)

    def _heredoc(self, node: Node, span: Span, depth: int) -> Value:
        whole = self._span(node)
        start, end = (self._text.find("\n", whole.start) + 1, self._text.rfind("\n", 0, whole.end) + 1)
        body = Span(start, max(start, end))
        pieces = self._pieces(node, body, depth)
        return Other(span) if pieces is None else Heredoc(body, pieces, span)

    def _pieces(self, node: Node, inner: Span, depth: int) -> tuple[Span | Value, ...] | None:
        """Literal parts and what stands between them; None where the template has directives."""
        pieces: list[Span | Value] = []
        at = inner.start
        for child in node.named_children:
            if child.type == "template_interpolation":
                span = self._span(child)
                pieces += [Span(at, span.start)] if span.start > at else []
                pieces += self._values(child, depth)[:1] or [Other(span)]
                at = span.end
            elif child.type not in _TEMPLATE_PARTS:
                return None
        return (*pieces, *([Span(at, inner.end)] if inner.end > at else []))

    def _check_apart(self, items: tuple[Item, ...], separators: str) -> None:
        for one, other in pairwise(items):
            between = self._text[one.span.end : other.span.start]
            if not any(separator in between for separator in separators):
                self.crowded.append(other.span)

    def _span(self, node: Node) -> Span:
        return Span(node.start_byte + self._start, node.end_byte + self._start)

    def _of(self, node: Node) -> str:
        return self._span(node).of(self._text)
