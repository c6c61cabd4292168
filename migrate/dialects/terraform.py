"""`backend "s3"` in `.tf` and `.tofu` files, other backends, and the directories that such files call."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import Final

from msgspec.structs import replace

from migrate import hcl, marked, wishes
from migrate.model import Link, LockWish, Refusal, Site, Source
from migrate.plug import Edits, Found, Sources
from migrate.settings import of_body, repeated
from migrate.sites import Sheet, Trouble, twice
from migrate.text import Syntax

NAME: Final = "terraform"

_HOLDING: Final = ("backend", '"./', '"../')


def claims(path: PurePosixPath, head: bytes, /) -> bool:
    return path.suffix in (".tf", ".tofu") and "{{" not in str(path)


def find(source: Source, /) -> Found[Site]:
    if marked.is_template(source):
        return Found()
    sheet = Sheet(source, NAME)
    tree = hcl.blocks(source.text, ("terraform", "module"), _HOLDING)
    backends = [
        b for block in tree.blocks if block.type == "terraform" for b in block.blocks if b.type == "backend"
    ]
    sites = [_site(sheet, block) for block in backends if block.labels == ("s3",)]
    if len(backends) > 1:
        sites = [
            replace(site, why_not=site.why_not or "a second backend block: Terraform takes one")
            for site in sites
        ]
    others = (sheet.other_backend(b.span, b.labels[0]) for b in backends if b.labels and b.labels != ("s3",))
    return sheet.found(sites, [Trouble(at) for at in tree.errors], [*_links(sheet, tree), *others])


def edit(sources: Sources, found: Site, wish: LockWish, /) -> Edits | Refusal:
    return wishes.edit(sources[found.path], found, wish, Syntax.HCL)


def _site(sheet: Sheet, block: hcl.Block) -> Site:
    settings = of_body(sheet.source.text, block.items)
    return sheet.site("writer", "backend.s3", block.span, settings, twice(repeated(block)))


def _links(sheet: Sheet, tree: hcl.Tree) -> Iterator[Link]:
    for block in tree.blocks:
        source = block.value("source") if block.type == "module" else None
        if isinstance(source, hcl.Literal) and str(source.value).startswith(("./", "../")):
            yield sheet.link_to_module(source.span, str(source.value))
