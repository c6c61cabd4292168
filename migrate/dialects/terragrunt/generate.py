"""Terraform code in the heredoc of a `generate` block: read and edited in place, what is filled in kept."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from migrate import hcl
from migrate.model import Setting, Unknown
from migrate.settings import DECISIVE, of_body
from migrate.text import Span

BACKEND: Final = re.compile(r'\bbackend\s+(?:s3\b|\\?"s3\\?")')
"""That a text speaks of an S3 backend, if in quotes."""

FILLED_IN: Final = (
    "the code it generates is put together from parts: what it says is known only when rendered"
)


class Document(Struct, frozen=True):
    """The code in one heredoc of `text`. `shown` is the same with letters of no meaning in place of what is
    filled in.
    """

    text: str
    shown: str
    body: Span

    def backends(self) -> tuple[hcl.Block, ...] | None:
        """Its S3 backends; None where it cannot be read."""
        tree = hcl.parse(self.shown, self.body)
        if tree.errors:
            return None
        inner = (block for outer in tree.blocks if outer.type == "terraform" for block in outer.blocks)
        return tuple(block for block in inner if block.type == "backend" and block.labels == ("s3",))

    def settings(self, backend: hcl.Block) -> Iterator[Setting]:
        """The settings of a backend, those unknown into which something is filled."""
        for one in of_body(self.shown, backend.items):
            said = one.value_span.of(self.text)
            yield one if said == one.value_span.of(self.shown) else replace(one, value=Unknown(said))


def document(text: str, value: hcl.Value) -> Document | None:
    """What a heredoc holds; None for any other expression, and for a heredoc with directives."""
    if not isinstance(value, hcl.Heredoc):
        return None
    literal = [piece for piece in value.pieces if isinstance(piece, Span)]
    shown, at = [text[: value.body.start]], value.body.start
    for piece in (*literal, Span(value.body.end, value.body.end)):
        shown += ["x" * (piece.start - at), piece.of(text)]
        at = piece.end
    return Document(text, "".join((*shown, text[at:])), value.body)


def unread(item: hcl.Item) -> Iterator[Setting]:
    """What may come out of code that cannot be read."""
    said = Unknown("code put together from parts")
    return (Setting(name, said, item.span, item.span) for name in DECISIVE)
