"""CloudFormation's `AWS::DynamoDB::Table`, in YAML and in JSON, which YAML reads too."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import Final

from migrate import yamltree
from migrate.model import LOCK_KEY, Definition, Fact, Known, Source, Unknown
from migrate.plug import Found
from migrate.spelling.definitions import Sheet
from migrate.text import Span, lead

NAME: Final = "cloudformation"

_TYPES: Final = ("AWS::DynamoDB::Table", "AWS::DynamoDB::GlobalTable")
_HOW: Final = "delete the resource from the template, with DeletionPolicy Delete in the change before"
_SUFFIXES: Final = frozenset({".yaml", ".yml", ".json", ".template"})


def claims(path: PurePosixPath, head: bytes, /) -> bool:
    return path.suffix in _SUFFIXES and not path.name.endswith((".tf.json", ".tofu.json"))


def find(source: Source, /) -> Found[Definition]:
    if not any(kind in source.text for kind in _TYPES):
        return Found()
    nodes = (node for document in yamltree.parse(source.text) for _, node in yamltree.walk(document))
    members = (member for node in nodes for member in yamltree.members(node))
    return Found(tuple(_made(source, member) for member in members if _is_table(member)))


def _is_table(member: yamltree.Member) -> bool:
    listed = yamltree.at(member.value, "Properties", "KeySchema")
    keys = listed.items if isinstance(listed, yamltree.Sequence) else ()
    is_key = any(yamltree.text(key, "AttributeName") == LOCK_KEY for key in keys)
    return is_key and yamltree.text(member.value, "Type") in _TYPES


def _made(source: Source, member: yamltree.Member) -> Definition:
    span = Span(member.key.span.start, max(_ends(member.value), default=member.key.span.end))
    table = _table(source, member)
    return Sheet(source, NAME).definition(member.key.value, span, table, _HOW, _guards(member))


def _ends(node: yamltree.Node | None) -> Iterator[int]:
    for _, inner in yamltree.walk(node):
        if isinstance(inner, yamltree.Scalar | yamltree.Alias):
            yield inner.span.end


def _table(source: Source, member: yamltree.Member) -> Fact[str]:
    """A literal; nothing with a function of CloudFormation (`!Sub …`, `Fn::Sub`)."""
    given = yamltree.at(member.value, "Properties", "TableName")
    if not isinstance(given, yamltree.Scalar):
        return Unknown("by an expression" if given else "by its stack")
    tag, *_ = [*lead(source.text, given.span.start).rpartition(":")[2].split(), ""]
    return Unknown(f"{tag} {given.value}") if tag.startswith("!") else Known(given.value)


def _guards(member: yamltree.Member) -> Iterator[str]:
    def on(*route: str) -> bool:
        there = yamltree.at(member.value, *route) is not None
        return there and yamltree.text(member.value, *route) != "false"

    if yamltree.text(member.value, "DeletionPolicy").startswith("Retain"):
        yield "DeletionPolicy Retain"
    if on("Properties", "DeletionProtectionEnabled"):
        yield "deletion protection"
    if on("Properties", "Replicas"):
        yield "replicas"
    if on("Properties", "StreamSpecification"):
        yield "a stream"
    if on("Properties", "PointInTimeRecoverySpecification", "PointInTimeRecoveryEnabled"):
        yield "point-in-time recovery"
