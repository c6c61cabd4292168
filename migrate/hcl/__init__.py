"""HCL text to blocks, arguments and values with their places, losslessly; nothing here knows Terraform."""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import TypeAlias

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


Words: TypeAlias = tuple[str, ...] | re.Pattern[str]
"""What a block must hold to be parsed: plain words, ten times as fast as the pattern some callers need."""


def blocks(text: str, types: Collection[str], holding: Words) -> Tree:
    """The top-level blocks of these `types` that hold one of the words `holding`; nothing else is parsed.

    The errors of the tree are those of these blocks, and the place from which on the text is no HCL, if any.
    """
    last = _last(text, holding)
    if last < 0:
        return Tree(())
    found = cut(text, frozenset(types), last)
    parts = [parse(text, p.span) for p in found.pieces if p.type in types and _holds(text, p.span, holding)]
    broken = () if found.broken is None else (Span(found.broken, found.broken + 1),)
    return Tree(
        tuple(block for part in parts for block in part.blocks),
        (*(error for part in parts for error in part.errors), *broken),
    )


def _last(text: str, words: Words) -> int:
    """The offset of the last of them; -1 where none stands in the text."""
    if isinstance(words, tuple):
        return max(map(text.rfind, words))
    return max((match.start() for match in words.finditer(text)), default=-1)


def _holds(text: str, part: Span, words: Words) -> bool:
    if isinstance(words, tuple):
        return any(text.find(word, part.start, part.end) >= 0 for word in words)
    return words.search(text, part.start, part.end) is not None
