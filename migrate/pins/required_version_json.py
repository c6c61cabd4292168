"""`required_version` in `.tf.json` and `.tofu.json`."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import Final

from migrate import jsontree
from migrate.model import Fact, Known, Pin, Source, Unknown
from migrate.plug import Edits, Found, Sources
from migrate.spelling.choice import Sheet
from migrate.spelling.json_blocks import blocks
from migrate.text import Replace, Span, Syntax
from migrate.versions import Tool

NAME: Final = "required_version_json"


def claims(path: PurePosixPath, head: bytes, /) -> bool:
    return path.name.endswith((".tf.json", ".tofu.json"))


def find(source: Source, /) -> Found[Pin]:
    """Every `required_version` of every `terraform` object; one with an escape or a template is Unknown."""
    sheet = Sheet.of_folder(source, NAME)
    return Found(tuple(_pin(sheet, text) for text in _texts(source.text)))


def edit(sources: Sources, found: Pin, wish: str, /) -> Edits:
    if found.version == Known(wish):
        return {}
    return {found.path: (Replace(found.span, wish, Syntax.JSON),)}


def _texts(text: str) -> Iterator[jsontree.Text]:
    for _, block in blocks(jsontree.parse(text), "terraform"):
        for member in block.all("required_version"):
            if isinstance(member.value, jsontree.Text):
                yield member.value


def _pin(sheet: Sheet, text: jsontree.Text) -> Pin:
    source, span = sheet.source, Span(text.span.start + 1, text.span.end - 1)
    plain = span.of(source.text) == text.value and "${" not in text.value
    version: Fact[str] = Known(text.value) if plain else Unknown(text.value)
    engine: Tool | None = "opentofu" if source.path.name.endswith(".tofu.json") else None
    return sheet.constraint(version, span, engine, span.start)
