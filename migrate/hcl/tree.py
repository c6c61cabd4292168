"""HCL text to a tree of blocks and arguments with their places, by tree-sitter.

Offsets are characters of the text, because the parser is shown one ASCII letter in place of every other
character. What cannot be parsed is left out and its place is told; nothing is guessed.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Final

from migrate.hcl.reader import Reader
from migrate.hcl.values import Other, Tree, Value
from migrate.text import Span

if TYPE_CHECKING:
    from tree_sitter import Node, Parser, TreeCursor

LONGEST: Final = 200_000
"""No block that people write is longer, and a broken one would keep the parser busy by its square."""

_FOREIGN: Final = re.compile(r"[^\x00-\x7f]")


@cache
def _parser() -> Parser:
    # Imported here: `--help` and a tree without a single backend pay nothing for it.
    import tree_sitter  # noqa: PLC0415
    import tree_sitter_hcl  # noqa: PLC0415

    return tree_sitter.Parser(tree_sitter.Language(tree_sitter_hcl.language()))


def parse(text: str, part: Span | None = None) -> Tree:
    """The tree of `text`, or of a `part` that begins outside of any block; offsets are those of `text`."""
    whole = part or Span(0, len(text))
    if len(whole) > LONGEST:
        return Tree((), (Span(whole.start, whole.start + 1),))
    shown = whole.of(text)
    if not shown.isascii():
        shown = _FOREIGN.sub("x", shown.replace("\ufeff", " "))
    root = _parser().parse(shown.encode("ascii")).root_node
    reader = Reader(text, whole.start)
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
