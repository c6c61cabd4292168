"""Backends, readers and module calls in `.tf.json` and `.tofu.json`: a block is an object or a list."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import Final

from migrate import jsontree, wishes
from migrate.evaluation.files import is_override
from migrate.model import Link, LockWish, Refusal, Site, Source
from migrate.plug import Edits, Found, Sources
from migrate.settings import may_be_s3, of_node, repeated
from migrate.sites import Sheet, twice
from migrate.spelling.json_blocks import blocks
from migrate.text import Syntax

NAME: Final = "terraform_json"


def claims(path: PurePosixPath, head: bytes, /) -> bool:
    return path.name.endswith((".tf.json", ".tofu.json"))


def find(source: Source, /) -> Found[Site]:
    sheet = Sheet(source, NAME)
    match jsontree.parse(source.text):
        case jsontree.Mistake() as mistake:
            return sheet.not_json(mistake)
        case tree:
            sites = [*_backends(sheet, tree), *_readers(sheet, tree)]
            return sheet.found(sites, links=[*_links(sheet, tree), *_others(sheet, tree)])


def edit(sources: Sources, found: Site, wish: LockWish, /) -> Edits | Refusal:
    return wishes.edit(sources[found.path], found, wish, Syntax.JSON)


def _backends(sheet: Sheet, tree: jsontree.Node) -> list[Site]:
    text = sheet.source.text
    kinds = [(member.key.value, block) for member, block in blocks(tree, "terraform", "backend", None)]
    second = "a second backend block: Terraform takes one" if len(kinds) > 1 else None
    return [
        sheet.site("writer", "backend.s3", block.span, of_node(text, block), second or twice(repeated(block)))
        for kind, block in kinds
        if kind == "s3"
    ]


def _others(sheet: Sheet, tree: jsontree.Node) -> Iterator[Link]:
    for member, block in blocks(tree, "terraform", "backend", None):
        if member.key.value != "s3":
            yield sheet.other_backend(block.span, member.key.value)


def _readers(sheet: Sheet, tree: jsontree.Node) -> Iterator[Site]:
    text = sheet.source.text
    for member, block in blocks(tree, "data", "terraform_remote_state", None):
        if may_be_s3(block, unsaid=is_override(sheet.source.path)):
            config = block.get("config")
            settings = of_node(text, config) if config else ()
            name = f"data.terraform_remote_state.{member.key.value}"
            yield sheet.site("reader", name, block.span, settings, twice(repeated(block, config)))


def _links(sheet: Sheet, tree: jsontree.Node) -> Iterator[Link]:
    for _, block in blocks(tree, "module", None):
        source = block.get("source")
        if isinstance(source, jsontree.Text) and source.value.startswith(("./", "../")):
            yield sheet.link_to_module(source.span, source.value)
