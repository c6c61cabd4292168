"""Recorded decisions: a list of cases, each with its policies and what an independent judge answered."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path

from msgspec import Struct

from migrate import jsontree
from migrate.iam.doubt import Doubt
from migrate.iam.glob import exact
from migrate.iam.judge import Answer, Judge
from migrate.iam.layers import Kind, Layer
from migrate.iam.policy import Policy
from migrate.iam.read import Reading, read_policy
from migrate.iam.request import Absence, Caller, Request
from migrate.jsontree import Array, Constant, Node, Object, Text


class Case(Struct, frozen=True, dict=True):
    caller: Caller
    layers: tuple[Layer, ...]
    request: Request
    expected: Answer

    def answer(self) -> Answer:
        return Judge(self.caller, self.layers).decide(self.request, absent_variables_match_nothing).answer


def absent_variables_match_nothing(doubt: Doubt) -> bool | None:
    """The recorded judge takes an element with an absent variable for one that is not met."""
    return False if doubt.kind == "variable" else None


def document(node: Node, name: str) -> Policy:
    assert isinstance(node, Object)
    return read_policy(node, name, Reading())


def layers(case: Object) -> Iterator[Layer]:
    kinds = {
        "identity": Kind.IDENTITY,
        "boundary": Kind.BOUNDARY,
        "session": Kind.SESSION,
        "scp": Kind.SCP,
        "rcp": Kind.RCP,
        "endpoint": Kind.ENDPOINT,
        "bucket_policy": Kind.BUCKET,
        "key_policy": Kind.KEY,
        "table_policy": Kind.TABLE,
    }
    for name, kind in kinds.items():
        found = case.get(name)
        if isinstance(found, Array):
            yield Layer(kind, tuple(document(item, f"{name} {n}") for n, item in enumerate(found.items)))
        elif isinstance(found, Object):
            yield Layer(kind, (document(found, name),))


def text(case: Object, name: str) -> str:
    found = case.get(name)
    assert isinstance(found, Text), name
    return found.value


def context(case: Object) -> Mapping[str, tuple[str, ...]]:
    found = case.get("context")
    assert isinstance(found, Object)
    return {member.key.value.lower(): tuple(values(member.value)) for member in found.members}


def values(node: Node) -> Iterator[str]:
    match node:
        case Array(items):
            for item in items:
                yield from values(item)
        case Text(value):
            yield value
        case _:
            yield json.dumps(node.written if isinstance(node, jsontree.Number) else None)


def read(node: Node) -> Case:
    assert isinstance(node, Object)
    expected = node.get("expected")
    assert isinstance(expected, Constant)
    request = Request(
        text(node, "action"),
        exact(text(node, "resource")),
        text(node, "bucket_account"),
        context(node),
        Absence.MISSING,
    )
    answer = Answer.ALLOWED if expected.value else Answer.DENIED
    return Case(Caller(text(node, "principal")), tuple(layers(node)), request, answer)


def load(path: Path) -> list[Case]:
    tree = jsontree.parse(path.read_text(encoding="utf-8"))
    assert isinstance(tree, Array), tree
    return [read(item) for item in tree.items]
