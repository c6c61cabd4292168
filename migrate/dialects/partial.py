"""Files of a partial configuration: what `terraform init -backend-config=FILE` reads.

By its name only a `.tfbackend` file is one. Any other file is one because a command says so: whoever follows
that link calls `find` and `edit` with it, and does not ask `claims`.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import PurePosixPath
from typing import Final

from migrate import hcl, jsontree, wishes
from migrate.model import LockWish, Refusal, Setting, Site, Source
from migrate.plug import Edits, Found, Sources
from migrate.settings import of_body, of_node, repeated
from migrate.sites import Sheet, Trouble, twice
from migrate.text import Span, Syntax

NAME: Final = "partial"


def claims(path: PurePosixPath, head: bytes, /) -> bool:
    return path.suffix == ".tfbackend"


def find(source: Source, /) -> Found[Site]:
    sheet = Sheet(source, NAME)
    return _in_json(sheet) if _is_json(source.text) else _in_hcl(sheet)


def edit(sources: Sources, found: Site, wish: LockWish, /) -> Edits | Refusal:
    source = sources[found.path]
    return wishes.edit(source, found, wish, Syntax.JSON if _is_json(source.text) else Syntax.HCL)


def _is_json(text: str) -> bool:
    return text.lstrip("\ufeff \t\r\n").startswith("{")


def _in_hcl(sheet: Sheet) -> Found[Site]:
    text = sheet.source.text
    tree = hcl.parse(text)
    troubles = [Trouble(at) for at in tree.errors]
    troubles += [Trouble(b.span, f"{b.type} is no argument", "move it to a .tf file") for b in tree.blocks]
    if troubles:
        return sheet.found([], troubles)
    return sheet.found([_site(sheet, of_body(text, tree.items), twice(repeated(tree)))])


def _in_json(sheet: Sheet) -> Found[Site]:
    text = sheet.source.text
    match jsontree.parse(text):
        case jsontree.Object() as tree:
            return sheet.found([_site(sheet, of_node(text, tree), twice(repeated(tree)))])
        case jsontree.Mistake() as mistake:
            return sheet.not_json(mistake)
        case _:
            return Found()


def _site(sheet: Sheet, settings: Iterable[Setting], why_not: str | None) -> Site:
    return sheet.site("partial", "backend-config", Span(0, len(sheet.source.text)), settings, why_not)
