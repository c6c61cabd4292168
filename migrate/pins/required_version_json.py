"""`required_version` in `.tf.json` and `.tofu.json`."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import Final

from migrate import jsontree
from migrate.model import Fact, Known, Pin, Source, Unknown
from migrate.plug import Edits, Found, Sources
from migrate.spelling.json_blocks import blocks
from migrate.text import Lines, Replace, Span, Syntax

NAME: Final = "required_version_json"


def claims(path: PurePosixPath, head: bytes, /) -> bool:
    return path.name.endswith((".tf.json", ".tofu.json"))


def find(source: Source, /) -> Found[Pin]:
    """Every `required_version` of every `terraform` object; one with an escape or a template is Unknown."""
    lines = Lines(source.text)
    return Found(tuple(_pin(source, lines, text) for text in _texts(source.text)))


def edit(sources: Sources, found: Pin, wish: str, /) -> Edits:
    if found.version == Known(wish):
        return {}
    return {found.path: (Replace(found.span, wish, Syntax.JSON),)}


def _texts(text: str) -> Iterator[jsontree.Text]:
    for _, block in blocks(jsontree.parse(text), "terraform"):
        for member in block.all("required_version"):
            if isinstance(member.value, jsontree.Text):
                yield member.value


def _pin(source: Source, lines: Lines, text: jsontree.Text) -> Pin:
    span = Span(text.span.start + 1, text.span.end - 1)
    plain = span.of(source.text) == text.value and "${" not in text.value
    version: Fact[str] = Known(text.value) if plain else Unknown(text.value)
    return Pin(
        repo=source.repo,
        path=source.path,
        plug=NAME,
        kind="constraint",
        engine="opentofu" if source.path.name.endswith(".tofu.json") else None,
        version=version,
        span=span,
        line=lines.line(span.start),
        root=source.path.parent,
    )
