"""What a Terragrunt file names: its locals and the files it includes, as expressions that are not evaluated.

Thousands of units hold the same few blocks: each text of a block is parsed once.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import Final, TypeAlias

from msgspec import Struct

from migrate import hcl
from migrate.text import begins_line

Expressions: TypeAlias = Mapping[str, str]
"""Name → its expression as it is written."""

_INCLUDE: Final = re.compile(r"include\b[^=\n{]*\{(?P<simple>[^{}#/]*\})?")
_BLOCKS: Final = frozenset({"include", "locals"})


class Config(Struct, frozen=True):
    """`includes`: label (empty: none) → the expression of the path; `merged` are those whose blocks count."""

    locals: Expressions
    includes: Expressions
    merged: Expressions


@lru_cache(maxsize=256)
def read(text: str) -> Config:
    """The locals and includes of one file; what cannot be read is not in it."""
    found: dict[str, str] = {}
    includes: dict[str, str] = {}
    merged: dict[str, str] = {}
    for piece in hcl.cut(text, _BLOCKS).pieces:
        label, names = _block(piece.span.of(text))
        if piece.type == "locals":
            found |= names
        elif piece.type == "include" and "path" in names:
            includes[label] = names["path"]
            merged |= {label: names["path"]} if _is_merged(names) else {}
    return Config(found, includes, merged)


def includes(text: str) -> Expressions:
    """The includes alone whose blocks count, in order: most have no brace inside and are found without a pass
    over the file. Comments and heredocs over several lines may hold what only looks like one, or precede one.
    """
    found = [one for one in _INCLUDE.finditer(text) if begins_line(text, one.start())]
    if "/*" in text or "<<" in text or not all(one["simple"] for one in found):
        return read(text).merged
    blocks = (_block(one[0]) for one in found)
    return {label: names["path"] for label, names in blocks if "path" in names and _is_merged(names)}


def _is_merged(names: Expressions) -> bool:
    return names.get("merge_strategy") != '"no_merge"'


@lru_cache(maxsize=4096)
def _block(text: str) -> tuple[str, Expressions]:
    for block in hcl.parse(text).blocks:
        names = {str(one.name): one.value.span.of(text) for one in block.arguments}
        return "".join(block.labels), MappingProxyType(names)
    return "", MappingProxyType({})
