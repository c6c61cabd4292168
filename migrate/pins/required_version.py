"""`required_version` in a `terraform` block: the one pin that every release of Terraform enforces itself."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import Final

from msgspec.structs import replace

from migrate import hcl
from migrate.mentions import RENAMED, TEMPLATE
from migrate.model import Fact, Known, Pin, Source, Unknown
from migrate.plug import Edits, Found, Sources
from migrate.spelling.choice import Sheet
from migrate.templating import Template
from migrate.text import InsertInside, Replace, Span, Syntax
from migrate.versions import Tool

NAME: Final = "required_version"
ARGUMENT: Final = NAME

_FILL_IN: Final = re.compile(r"\{[{%]|<%")
_BLANK: Final = re.compile(r"[^\n]*\n[ \t\r]*\n")
"""The rest of a line, and a blank one below it."""


def claims(path: PurePosixPath, head: bytes, /) -> bool:
    """Templates too, and what is copied to a file of Terraform."""
    copied = path.suffix.lower() in TEMPLATE or bool(RENAMED.fullmatch(path.name))
    return path.suffix in (".tf", ".tofu") or copied


def find(source: Source, /) -> Found[Pin]:
    """Every `required_version`; what is no plain string is Unknown with its text, and so are those of a
    template that writes one or another. Code whose marks make it no HCL is a template too.
    """
    plain = tuple(_pins(source, source.text)) if source.path.suffix in (".tf", ".tofu") else None
    if plain or (plain is not None and not _FILL_IN.search(source.text)):
        return Found(plain)
    pins = tuple(_pins(source, Template(source.text).shown))
    one = len({pin.version for pin in pins}) < 2
    return Found(pins if one else tuple(replace(p, version=Unknown(p.span.of(source.text))) for p in pins))


def _pins(source: Source, code: str) -> Iterator[Pin]:
    sheet = Sheet.of_folder(source, NAME)
    for argument in _arguments(hcl.blocks(code, {"terraform"}, (NAME,))):
        yield _pin(sheet, argument)


def _arguments(tree: hcl.Tree) -> Iterator[hcl.Argument]:
    for block in tree.blocks:
        for item in block.items:
            if isinstance(item, hcl.Argument) and item.name == NAME:
                yield item


def _pin(sheet: Sheet, argument: hcl.Argument) -> Pin:
    source = sheet.source
    version: Fact[str]
    match argument.value:
        case hcl.Literal(str(text), span) if span.of(source.text) == f'"{text}"' and not _FILL_IN.search(
            text
        ):
            version, span = Known(text), Span(span.start + 1, span.end - 1)
        case value:
            version, span = Unknown(value.span.of(source.text)), value.span
    engine: Tool | None = "opentofu" if source.path.suffix == ".tofu" else None
    return sheet.constraint(version, span, engine, argument.span.start)


def edit(sources: Sources, found: Pin, wish: str, /) -> Edits:
    """The constraint's text becomes `wish`; nothing else moves."""
    if found.version == Known(wish):
        return {}
    return {found.path: (Replace(found.span, wish, Syntax.HCL),)}


def insert(source: Source, block: Span, constraint: str) -> Edits:
    """`required_version` as the first line of the `terraform` block around `block`, for a root that has none.

    One blank line parts it from a block that follows, as `terraform fmt` leaves it and people write it.
    """
    tree = hcl.parse(source.text)
    outer = next((b for b in tree.blocks if b.type == "terraform" and b.span.contains(block)), None)
    if outer is None:
        return {}
    line = f'{ARGUMENT} = "{constraint}"'
    parted = outer.items and isinstance(outer.items[0], hcl.Block)
    parted = parted and not _BLANK.match(source.text, outer.braces.start)
    return {source.path: (InsertInside(outer.braces, (line, "") if parted else (line,), Syntax.HCL),)}
