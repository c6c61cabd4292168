"""`remote_state` in Terragrunt's JSON form, `terragrunt.hcl.json`."""

from __future__ import annotations

from collections.abc import Iterator

from migrate import jsontree
from migrate.model import Site
from migrate.plug import Found
from migrate.settings import may_be_s3, of_node, repeated
from migrate.sites import Sheet, Trouble, twice
from migrate.text import Span


def find(sheet: Sheet) -> Found[Site]:
    match jsontree.parse(sheet.source.text):
        case jsontree.Mistake(why, offset):
            return sheet.found([], [Trouble(Span(offset, offset), why, "make it valid JSON")])
        case jsontree.Object() as tree:
            return sheet.found(list(_sites(sheet, tree)))
        case _:
            return Found()


def _sites(sheet: Sheet, tree: jsontree.Object) -> Iterator[Site]:
    text = sheet.source.text
    for member in tree.members:
        block = member.value
        if member.key.value == "remote_state" and isinstance(block, jsontree.Object) and may_be_s3(block):
            config = block.get("config")
            names = repeated(block, *([config] if isinstance(config, jsontree.Object) else []))
            settings = of_node(text, config) if config else ()
            yield sheet.site("writer", "remote_state", member.span, settings, twice(names))
