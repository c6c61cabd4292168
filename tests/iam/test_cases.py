"""Recorded decisions: our own, and those of the file that `IAM_CASES` names."""

import os
from pathlib import Path

import pytest

from tests.iam import cases

OURS = Path(__file__).with_name("cases.json")
GIVEN = [Path(name) for name in (os.environ.get("IAM_CASES"),) if name]


@pytest.mark.parametrize("path", [OURS, *GIVEN], ids=lambda path: path.name)
def test_every_recorded_decision_is_ours_too(path: Path) -> None:
    recorded = cases.load(path)
    answers = [case.answer() for case in recorded]
    differing = [
        f"case {number}: {answer.value}, recorded {case.expected.value}"
        for number, (case, answer) in enumerate(zip(recorded, answers, strict=True))
        if answer is not case.expected
    ]
    assert recorded, f"{path}: no cases in it"
    assert not differing, f"{len(differing)} of {len(recorded)} differ: {differing[:20]}"
