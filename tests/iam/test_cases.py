"""Recorded decisions: our own, and those of the file that `IAM_CASES` names."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from migrate.iam.layers import Kind
from tests.iam import cases

OURS = Path(__file__).with_name("cases.json")
GIVEN = [Path(name) for name in (os.environ.get("IAM_CASES"),) if name]

OPERATORS = {
    *("StringEquals", "StringNotEquals", "StringEqualsIgnoreCase", "StringNotEqualsIgnoreCase"),
    *("StringLike", "StringNotLike", "ArnEquals", "ArnLike", "ArnNotEquals", "ArnNotLike"),
    *("Bool", "BinaryEquals", "IpAddress", "NotIpAddress", "Null"),
    *("NumericEquals", "NumericNotEquals", "NumericLessThan", "NumericLessThanEquals"),
    *("NumericGreaterThan", "NumericGreaterThanEquals"),
    *("DateEquals", "DateNotEquals", "DateLessThan", "DateLessThanEquals"),
    *("DateGreaterThan", "DateGreaterThanEquals"),
}
"""Those of IAM's reference of condition operators; each may have a prefix and a suffix besides."""
AROUND = {"ForAllValues:StringEquals", "ForAnyValue:StringEquals", "StringEqualsIfExists"}


@pytest.mark.parametrize("path", [OURS, *GIVEN], ids=lambda path: path.name)
def test_every_recorded_decision_is_ours_too(
    path: Path, record_property: Callable[[str, object], None]
) -> None:
    recorded = cases.load(path)
    answers = [case.answer() for case in recorded]
    differing = [
        f"case {number}: {answer.value}, recorded {case.expected.value}"
        for number, (case, answer) in enumerate(zip(recorded, answers, strict=True))
        if answer is not case.expected
    ]
    agreed = len(recorded) - len(differing)
    record_property("counted", f"{path.name}: {agreed} of {len(recorded)} decisions agree")
    assert recorded, f"{path}: no cases in it"
    assert not differing, f"{len(differing)} of {len(recorded)} differ: {differing[:20]}"


def test_ours_have_every_layer_and_every_operator_of_iam() -> None:
    layers = [layer for case in cases.load(OURS) for layer in case.layers]
    statements = [one for layer in layers for policy in layer.policies for one in policy.statements]
    assert {layer.kind for layer in layers} == set(Kind)
    assert {condition.operator for one in statements for condition in one.conditions} >= OPERATORS | AROUND
