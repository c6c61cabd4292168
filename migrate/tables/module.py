"""Public modules that make a lock table, by their sources: which argument names it, and what switches it off.

Each fact has its source; where the table is an option of a module for tables of any kind, its hash key tells.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import PurePosixPath
from typing import Final

from msgspec import Struct

from migrate import hcl
from migrate.model import LOCK_KEY, Definition, Source
from migrate.plug import Found
from migrate.spelling.definitions import Sheet, is_on, named

NAME: Final = "module"


class _Module(Struct, frozen=True):
    """`table`: the argument with the table's name. `off`: the argument whose false means no table."""

    table: str
    how: str
    off: str = ""
    any_table: bool = False
    """It makes tables of all kinds."""


_OFF: Final = "set `{} = false`"
_MODULES: Final[Mapping[str, _Module]] = {
    "cloudposse/tfstate-backend": _Module(
        "dynamodb_table_name",
        "set `dynamodb_enabled = false`, which releases from 0.34.0 on take "
        "(cloudposse/terraform-aws-tfstate-backend#95)",
        "dynamodb_enabled",
    ),
    "nozaq/remote-state-s3-backend": _Module(
        "dynamodb_table_name",
        "go to a release with the change that makes no table any more, a breaking one "
        "(nozaq/terraform-aws-remote-state-s3-backend#136)",
    ),
    "trussworks/bootstrap": _Module(
        "dynamodb_table_name",
        "no release known here has a switch (trussworks/terraform-aws-bootstrap#133): forget the table with "
        "`terraform state rm`, and move the bucket to code of your own",
    ),
    "terraform-aws-modules/dynamodb-table": _Module(
        "name", _OFF.format("create_table"), "create_table", any_table=True
    ),
    "cloudposse/dynamodb": _Module("name", _OFF.format("enabled"), "enabled", any_table=True),
}

_SOURCE: Final = re.compile(
    r"(?P<owner>[\w-]+)/(?:(?P<name>[\w-]+)/aws|terraform-aws-(?P<repository>[\w-]+))\b"
)
_HOLDING: Final = ("tfstate-backend", "remote-state-s3-backend", "trussworks/", "dynamodb")


def claims(path: PurePosixPath, head: bytes, /) -> bool:
    return path.suffix in (".tf", ".tofu")


def find(source: Source, /) -> Found[Definition]:
    tree = hcl.blocks(source.text, ("module",), _HOLDING)
    return Found(tuple(found for block in tree.blocks if (found := _definition(source, block))))


def _definition(source: Source, block: hcl.Block) -> Definition | None:
    known = _known(block)
    if known is None or (block.value(known.off) and not is_on(block, known.off)):
        return None
    key = block.value("hash_key")
    if known.any_table and not (isinstance(key, hcl.Literal) and key.value == LOCK_KEY):
        return None
    table = named(source.text, block.value(known.table), "by the module")
    name = f"module.{'.'.join(block.labels)}"
    return Sheet(source, NAME).definition(name, block.span, table, _how(known, block), _guards(block))


def _known(block: hcl.Block) -> _Module | None:
    written = block.value("source")
    found = _SOURCE.search(str(written.value)) if isinstance(written, hcl.Literal) else None
    return _MODULES.get(f"{found['owner']}/{found['name'] or found['repository']}") if found else None


def _how(known: _Module, block: hcl.Block) -> str:
    version = block.value("version")
    here = f" (here: {version.value})" if isinstance(version, hcl.Literal) else ""
    return known.how + here


def _guards(block: hcl.Block) -> Iterator[str]:
    if is_on(block, "deletion_protection_enabled"):
        yield "deletion protection"
    if any(is_on(block, name) for name in ("replica_regions", "replicas", "dynamodb_table_replicas")):
        yield "replicas"
    if any(is_on(block, name) for name in ("stream_enabled", "enable_streams")):
        yield "a stream"
