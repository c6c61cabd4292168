"""`remote_state` of Terragrunt: the one place from which the backends of all its units are made."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import Final

from migrate import hcl, wishes
from migrate.model import LockWish, Refusal, Site, Source
from migrate.plug import Edits, Found, Sources
from migrate.settings import borrowed, may_be_s3, of_config
from migrate.sites import Sheet, Trouble, twice
from migrate.text import Syntax

NAME: Final = "terragrunt"
TOKENS: Final = (b"remote_state",)
FILES: Final[tuple[str, ...]] = ()

_HOLDING: Final = re.compile("remote_state")
_ASSIGNED: Final = re.compile(r"^[ \t\ufeff]*remote_state[ \t]*=", re.MULTILINE)


def claims(path: PurePosixPath, head: bytes, /) -> bool:
    return path.suffix == ".hcl"


def find(source: Source, /) -> Found[Site]:
    sheet = Sheet(source, NAME)
    if _ASSIGNED.search(source.text):
        tree = hcl.parse(source.text)
    else:
        tree = hcl.blocks(source.text, ("remote_state",), _HOLDING)
    return sheet.found(list(_sites(sheet, tree)), [Trouble(at) for at in tree.errors])


def edit(sources: Sources, found: Site, wish: LockWish, /) -> Edits | Refusal:
    return wishes.edit(sources[found.path], found, wish, Syntax.HCL)


def _sites(sheet: Sheet, tree: hcl.Tree) -> Iterator[Site]:
    for item in tree.items:
        match item:
            case hcl.Block("remote_state", _, items) | hcl.Argument("remote_state", hcl.Object(items)):
                if may_be_s3(items):
                    settings, repeated = of_config(sheet.source.text, items)
                    yield sheet.site("writer", "remote_state", item.span, settings, twice(repeated))
            case hcl.Argument("remote_state", value):
                yield sheet.site("writer", "remote_state", item.span, borrowed(sheet.source.text, value.span))
            case _:
                pass
