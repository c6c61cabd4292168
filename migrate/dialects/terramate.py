"""Terramate: `generate_hcl` blocks whose `content` is Terraform code with an S3 backend or its reader.

The source is edited; the copies that it is generated into are not, and are made anew by `terramate generate`.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import Final

from migrate import hcl, wishes
from migrate.model import LockWish, Refusal, Site, Source
from migrate.plug import Edits, Found, Sources
from migrate.settings import may_be_s3, of_body, of_config, repeated
from migrate.sites import Sheet, Trouble, twice, unread
from migrate.text import Syntax

NAME: Final = "terramate"

_HOLDING: Final = ("backend", "terraform_remote_state")
_UNREAD: Final = "what Terramate makes of this is known only when it generates"
_LOOK: Final = "change it by hand in the same steps, then: terramate generate"


def claims(path: PurePosixPath, head: bytes, /) -> bool:
    return path.name.endswith((".tm.hcl", ".tm"))


def find(source: Source, /) -> Found[Site]:
    """The backends and readers that are generated, then every line that names a lock setting elsewhere."""
    sheet = Sheet(source, NAME)
    tree = hcl.blocks(source.text, ("generate_hcl",), _HOLDING)
    sites = [site for block in tree.blocks for site in _sites(sheet, block)]
    found = sheet.found(sites, [Trouble(at) for at in tree.errors])
    rest = sheet.found(unread(sheet, (s.span for s in sites), _UNREAD)).items
    return Found((*found.items, *rest), problems=found.problems)


def edit(sources: Sources, found: Site, wish: LockWish, /) -> Edits | Refusal:
    if not found.settings:
        return Refusal(found.place, _UNREAD, _LOOK)
    return wishes.edit(sources[found.path], found, wish, Syntax.HCL)


def _sites(sheet: Sheet, block: hcl.Block) -> Iterator[Site]:
    """Named by the file that is generated."""
    made = f"generate_hcl.{'.'.join(block.labels)}"
    for inner in (inner for content in block.blocks if content.type == "content" for inner in content.blocks):
        if inner.type == "terraform":
            yield from (_backend(sheet, made, b) for b in _s3(inner))
        elif inner.labels[:1] == ("terraform_remote_state",) and may_be_s3(inner.items):
            settings, again = of_config(sheet.source.text, inner.items)
            name = f"{made}.data.{'.'.join(inner.labels)}"
            yield sheet.made("reader", name, inner.span, settings, twice(again))


def _s3(block: hcl.Block) -> Iterator[hcl.Block]:
    return (inner for inner in block.blocks if inner.type == "backend" and inner.labels == ("s3",))


def _backend(sheet: Sheet, made: str, block: hcl.Block) -> Site:
    settings = of_body(sheet.source.text, block.items)
    return sheet.made("generator", f"{made}.backend.s3", block.span, settings, twice(repeated(block)))
