"""HCL text to a tree of blocks and arguments with their places, by tree-sitter.

Offsets are characters of the text, because the parser is shown one ASCII letter in place of every other
character. What cannot be parsed is left out and its place is told; nothing is guessed.
"""

from __future__ import annotations

import re
from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING, Final

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
    Tree,
    Value,
)
from migrate.text import Span

if TYPE_CHECKING:
    from tree_sitter import Node, Parser, TreeCursor

_DEEPEST: Final = 60  # a value nested deeper is `Other`: nothing this program reads is
_FOREIGN: Final = re.compile(r"[^\x00-\x7f]")
_ESCAPE: Final = re.compile(r"\\(?:u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|(.))|[$%]([$%]\{)", re.DOTALL)
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
_SHORT: Final = {"n": "\n", "r": "\r", "t": "\t"}
_WORDS: Final[dict[str, bool | None]] = {"true": True, "false": False, "null": None}


@cache
def _parser() -> Parser:
    # Imported here: `--help` and a tree without a single backend pay nothing for it.
    import tree_sitter  # noqa: PLC0415
    import tree_sitter_hcl  # noqa: PLC0415

    return tree_sitter.Parser(tree_sitter.Language(tree_sitter_hcl.language()))


def parse(text: str, part: Span | None = None) -> Tree:
    """The tree of `text`, or of a `part` that begins outside of any block; offsets are those of `text`."""
    whole = part or Span(0, len(text))
    shown = whole.of(text)
    if not shown.isascii():
        shown = _FOREIGN.sub("x", shown.replace("\ufeff", " "))
    root = _parser().parse(shown.encode("ascii")).root_node
    reader = _Reader(text, whole.start)
    items = () if root.is_error else reader.items(root, 0)
    errors = (*((_stuck(root, whole.start),) if root.has_error else ()), *reader.crowded)
    return Tree(tuple(item for item in items if not any(item.span.contains(e) for e in errors)), errors)


def expression(text: str) -> Value:
    """One expression alone."""
    tree = parse(f"x = {text}\n")
    values = [argument.value for argument in tree.arguments]
    return values[0] if len(values) == 1 and not tree.errors else Other(Span(4, 4 + len(text)))


def _stuck(root: Node, start: int) -> Span:
    """Where the parser got stuck: an error swallows what was read before it, so its last part is nearest."""
    cursor = root.walk()
    while not _node(cursor).is_error and cursor.goto_first_child():
        while not _node(cursor).has_error and cursor.goto_next_sibling():
            pass
    while cursor.goto_last_child():
        pass
    node = _node(cursor)
    return Span(node.start_byte + start, node.end_byte + start)


def _node(cursor: TreeCursor) -> Node:
    node = cursor.node
    assert node is not None  # noqa: S101  a cursor stands on a node from its first day
    return node


class _Reader:
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
                return Literal(_unescaped(self._of(node)[1:-1]), span)
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


def _unescaped(text: str) -> str:
    return _ESCAPE.sub(_meant, text) if "\\" in text or "{" in text else text


def _meant(escape: re.Match[str]) -> str:
    code, long_code, short, template = escape.groups()
    if code or long_code:
        number = int(code or long_code, 16)
        return chr(number) if number < 0x110000 else escape[0]
    return str(template) if template else _SHORT.get(short, short)
