"""HCL text to a tree by tree-sitter's grammar.

Offsets are characters of the text, because the parser is shown one ASCII letter in place of every other
character. What cannot be parsed is left out and its place is told; nothing is guessed.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Final

import tree_sitter_hcl
from tree_sitter import Language, Node, Parser, TreeCursor

from migrate.hcl.reader import Reader
from migrate.hcl.values import Tree
from migrate.text import Span

_FOREIGN: Final = re.compile(r"[^\x00-\x7f]")


@cache
def _parser() -> Parser:
    return Parser(Language(tree_sitter_hcl.language()))


def read(text: str, part: Span) -> Tree:
    """The tree of a part of `text` that begins outside of any block."""
    shown = part.of(text)
    if not shown.isascii():
        shown = _FOREIGN.sub("x", shown.replace("\ufeff", " "))
    root = _parser().parse(shown.encode("ascii")).root_node
    reader = Reader(text, part.start)
    items = () if root.is_error else reader.items(root, 0)
    errors = (*((_stuck(root, part.start),) if root.has_error else ()), *reader.crowded)
    return Tree(tuple(item for item in items if not any(item.span.contains(e) for e in errors)), errors)


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
