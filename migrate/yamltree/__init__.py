"""YAML text to a tree of values with their places, for files that nobody may reformat.

It reads what pipelines and version files hold: block and flow collections, every kind of scalar, anchors,
aliases, several documents. It never fails: lines of a template (`{{ if … }}`, `{% … %}`) are passed over,
`{{ … }}` and `${{ … }}` are text, and of what is no YAML the lines that are remain. An alias is kept as one,
so every value stands in the tree once, where it is written.
"""

from __future__ import annotations

from functools import lru_cache

from migrate.yamltree.blocks import Reader
from migrate.yamltree.tree import (
    Alias,
    Mapping,
    Member,
    Node,
    Route,
    Scalar,
    Sequence,
    at,
    members,
    scalar,
    text,
    walk,
)

__all__ = [
    "Alias",
    "Mapping",
    "Member",
    "Node",
    "Route",
    "Scalar",
    "Sequence",
    "at",
    "members",
    "parse",
    "scalar",
    "text",
    "walk",
]


@lru_cache(maxsize=4)
def parse(written: str) -> tuple[Node, ...]:
    """The documents of a text that hold anything. Several plugs ask of one file in turn."""
    return tuple(Reader(written).documents())
