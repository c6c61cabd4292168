"""HCL text to blocks, arguments and values with their places, losslessly; nothing here knows Terraform."""

from __future__ import annotations

import re
from collections.abc import Collection

from migrate.hcl.cut import cut
from migrate.hcl.tree import expression, parse
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

__all__ = [
    "Argument",
    "Block",
    "Call",
    "Choice",
    "Heredoc",
    "Item",
    "List",
    "Literal",
    "Object",
    "Other",
    "Template",
    "Tree",
    "Value",
    "blocks",
    "cut",
    "expression",
    "parse",
]


def blocks(text: str, types: Collection[str], holding: re.Pattern[str]) -> Tree:
    """The blocks of the top level of these `types` that hold a match of `holding`; only they are parsed."""
    last = max((match.start() for match in holding.finditer(text)), default=None)
    if last is None:
        return Tree(())
    found = cut(text, frozenset(types), last)
    spans = (piece.span for piece in found.pieces if piece.type in types)
    parts = [parse(text, span) for span in spans if holding.search(text, span.start, span.end)]
    broken = () if found.broken is None else (Span(found.broken, found.broken + 1),)
    return Tree(
        tuple(block for part in parts for block in part.blocks),
        (*(error for part in parts for error in part.errors), *broken),
    )
