"""`data "terraform_remote_state"` in `.tf` and `.tofu` files: readers of other states.

A reader takes no lock, but one that names the table checks the digest row there.
"""

from __future__ import annotations

from pathlib import PurePosixPath
from typing import Final

from migrate import hcl, marked, wishes
from migrate.evaluation.files import is_override
from migrate.model import LockWish, Refusal, Site, Source
from migrate.plug import Edits, Found, Sources
from migrate.settings import may_be_s3, of_config
from migrate.sites import Sheet, Trouble, twice
from migrate.text import Syntax

NAME: Final = "remote_state"

_HOLDING: Final = ("terraform_remote_state",)


def claims(path: PurePosixPath, head: bytes, /) -> bool:
    return path.suffix in (".tf", ".tofu") and "{{" not in str(path)


def find(source: Source, /) -> Found[Site]:
    if marked.is_template(source):
        return Found()
    sheet = Sheet(source, NAME)
    tree = hcl.blocks(source.text, ("data",), _HOLDING)
    readers = [block for block in tree.blocks if block.labels[:1] == ("terraform_remote_state",)]
    again = is_override(source.path)  # one that says its `config` alone
    sites = [_site(sheet, block) for block in readers if may_be_s3(block.items, unsaid=again)]
    return sheet.found(sites, [Trouble(at) for at in tree.errors])


def edit(sources: Sources, found: Site, wish: LockWish, /) -> Edits | Refusal:
    return wishes.edit(sources[found.path], found, wish, Syntax.HCL)


def _site(sheet: Sheet, block: hcl.Block) -> Site:
    settings, repeated = of_config(sheet.source.text, block.items)
    return sheet.site("reader", f"data.{'.'.join(block.labels)}", block.span, settings, twice(repeated))
