"""Terraform code under a name that Terraform does not load: copied to a `.tf` file before a run."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import Final

from migrate import hcl, wishes
from migrate.mentions import RENAMED, TEMPLATE
from migrate.model import LockWish, Refusal, Site, Source
from migrate.plug import Edits, Found, Sources
from migrate.settings import of_body, repeated
from migrate.sites import Sheet, twice
from migrate.text import Syntax

NAME: Final = "renamed"

_HOLDING: Final = ("backend",)


def claims(path: PurePosixPath, head: bytes, /) -> bool:
    return bool(RENAMED.fullmatch(path.name)) and path.suffix.lower() not in TEMPLATE


def find(source: Source, /) -> Found[Site]:
    """The S3 backends; a file that is no Terraform code has none, and no mistake."""
    sheet, tree = Sheet(source, NAME), hcl.blocks(source.text, ("terraform",), _HOLDING)
    return Found(sheet.found(_sites(sheet, tree)).items)


def edit(sources: Sources, found: Site, wish: LockWish, /) -> Edits | Refusal:
    return wishes.edit(sources[found.path], found, wish, Syntax.HCL)


def _sites(sheet: Sheet, tree: hcl.Tree) -> Iterator[Site]:
    for block in (inner for outer in tree.blocks for inner in outer.blocks):
        if block.type == "backend" and block.labels == ("s3",):
            settings = of_body(sheet.source.text, block.items)
            yield sheet.site("generator", "backend.s3", block.span, settings, twice(repeated(block)))
