"""HCL text to a tree of blocks and arguments with their places; what cannot be read is told, not guessed."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from migrate.hcl.plain import plain
from migrate.hcl.values import Other, Tree, Value
from migrate.text import Span

_LONGEST: Final = 200_000
"""No block that people write is longer, and a broken one would keep the parser busy by its square."""


@lru_cache(maxsize=256)  # several plugs read the blocks of one file, one plug after the other
def parse(text: str, part: Span | None = None) -> Tree:
    """The tree of `text`, or of a `part` that begins outside of any block; offsets are those of `text`."""
    whole = part or Span(0, len(text))
    if len(whole) > _LONGEST:
        return Tree((), (Span(whole.start, whole.start + 1),))
    items = plain(text, whole)
    if items is not None:
        return Tree(items)
    from migrate.hcl.grammar import read  # noqa: PLC0415  where all is plain no grammar is loaded

    return read(text, whole)


def expression(text: str) -> Value:
    """The value of a text that is one expression; `Other` where it is none. Spans are those in `x = TEXT`."""
    tree = parse(f"x = {text}\n")
    values = [argument.value for argument in tree.arguments]
    return values[0] if len(values) == 1 and not tree.errors else Other(Span(4, 4 + len(text)))
