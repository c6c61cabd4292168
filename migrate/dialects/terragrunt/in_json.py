"""`remote_state` in Terragrunt's JSON form, `terragrunt.hcl.json`."""

from __future__ import annotations

from collections.abc import Iterator

from migrate import jsontree
from migrate.model import Site
from migrate.plug import Found
from migrate.settings import may_be_s3, of_node, repeated
from migrate.sites import Sheet, twice


def find(sheet: Sheet) -> Found[Site]:
    match jsontree.parse(sheet.source.text):
        case jsontree.Mistake() as mistake:
            return sheet.not_json(mistake)
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
            settings = of_node(text, config) if config else ()
            why_not = twice(repeated(block, config))
            yield sheet.site("writer", "remote_state", member.span, settings, why_not)
