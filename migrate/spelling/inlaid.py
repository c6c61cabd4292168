"""Blocks of Terraform code in a text of another kind: a heredoc of a script, a text of YAML."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from migrate import hcl
from migrate.text import Span

_BEGINS: Final = re.compile(
    r"""^[ \t]*(?:terraform[ \t]*\{[ \t]*)?
    (?P<block>backend[ \t]+"s3"[ \t]*\{
    |data[ \t]+"terraform_remote_state"[ \t]+"[^"\n]*"[ \t]*\{)""",
    re.VERBOSE | re.MULTILINE,
)
_TYPES: Final = frozenset({"backend", "data"})
_LONGEST: Final = 20_000
"""No such block is longer; one that never ends would be looked for to the end of the text."""


def blocks(text: str) -> Iterator[hcl.Block]:
    """The S3 backends and the readers that begin a line of the text, in order.

    One that cannot be read is none, and behind one that never ends nothing is looked for.
    """
    end = 0
    for begins in _BEGINS.finditer(text):
        start = begins.start("block")
        if start < end:
            continue
        pieces = hcl.cut(text[start : start + _LONGEST], _TYPES, 0).pieces
        if not pieces:
            return
        tree = hcl.parse(text, Span(start, start + pieces[0].span.end))
        end = start + pieces[0].span.end
        if not tree.errors:
            yield from tree.blocks
