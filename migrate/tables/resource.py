"""Terraform's `aws_dynamodb_table` with the hash key that every lock table has; in Terramate's code too."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import Final

from migrate import hcl, jsontree
from migrate.model import LOCK_KEY, Definition, Known, Source, Unknown
from migrate.plug import Found
from migrate.spelling.definitions import Sheet, is_on, named
from migrate.spelling.json_blocks import blocks

NAME: Final = "resource"

_TYPE: Final = "aws_dynamodb_table"
_HOW: Final = "delete the resource, or forget it with a `removed` block and delete the table by hand"
_HOLDING: Final = (_TYPE,)


def claims(path: PurePosixPath, head: bytes, /) -> bool:
    return path.name.endswith((".tf", ".tofu", ".tf.json", ".tofu.json", ".tm.hcl", ".tm"))


def find(source: Source, /) -> Found[Definition]:
    if source.path.suffix == ".json":
        return Found(tuple(_in_json(source)))
    tree = hcl.blocks(source.text, ("resource", "generate_hcl"), _HOLDING)
    return Found(tuple(_made(source, block) for block in _resources(tree) if _is_lock_table(block)))


def _resources(tree: hcl.Tree) -> Iterator[hcl.Block]:
    for block in tree.blocks:
        if block.type == "resource":
            yield block
        for content in (inner for inner in block.blocks if inner.type == "content"):
            yield from (inner for inner in content.blocks if inner.type == "resource")


def _is_lock_table(block: hcl.Block) -> bool:
    key = block.value("hash_key")
    return block.labels[:1] == (_TYPE,) and isinstance(key, hcl.Literal) and key.value == LOCK_KEY


def _made(source: Source, block: hcl.Block) -> Definition:
    table = named(source.text, block.value("name"), "by nobody")
    return Sheet(source, NAME).definition(".".join(block.labels), block.span, table, _HOW, _guards(block))


def _guards(block: hcl.Block) -> Iterator[str]:
    if any(inner.type == "lifecycle" and is_on(inner, "prevent_destroy") for inner in block.blocks):
        yield "prevent_destroy"
    if is_on(block, "deletion_protection_enabled"):
        yield "deletion protection"
    if any("replica" in (inner.type, *inner.labels) for inner in block.blocks):
        yield "replicas"
    if is_on(block, "stream_enabled"):
        yield "a stream"
    if any(inner.type == "point_in_time_recovery" and is_on(inner, "enabled") for inner in block.blocks):
        yield "point-in-time recovery"


def _in_json(source: Source) -> Iterator[Definition]:
    """`resource.aws_dynamodb_table` of Terraform's JSON form."""
    for member, block in blocks(jsontree.parse(source.text), "resource", _TYPE, None):
        if _says(block, "hash_key") == LOCK_KEY:
            name = _says(block, "name")
            table = Known(name) if name and "${" not in name else Unknown(name or "by nobody")
            yield Sheet(source, NAME).definition(f"{_TYPE}.{member.key.value}", block.span, table, _HOW)


def _says(table: jsontree.Object, name: str) -> str | None:
    value = table.get(name)
    return value.value if isinstance(value, jsontree.Text) else None
