"""Several outcomes end with one exit code."""

import pytest

from migrate.cli.exits import PRECEDENCE, Exit, worst


@pytest.mark.parametrize(
    ("outcomes", "code"),
    [
        ([], 0),
        ([Exit.OK, Exit.OK], 0),
        ([Exit.OK, Exit.NOTHING], 3),
        ([Exit.FINDINGS, Exit.NOTHING], 2),
        ([Exit.FINDINGS, Exit.UNKNOWN], 6),
        ([Exit.UNKNOWN, Exit.CLOSED], 4),
        ([Exit.CLOSED, Exit.PARTIAL, Exit.FINDINGS], 5),
        ([Exit.PARTIAL, Exit.ERROR], 1),
        ([Exit.ERROR, Exit.USAGE], 64),
        ([Exit.USAGE, Exit.INTERRUPTED], 130),
    ],
)
def test_worst(outcomes: list[Exit], code: int) -> None:
    assert worst(outcomes) == code


def test_every_exit_has_its_place() -> None:
    assert sorted(PRECEDENCE) == sorted(Exit)
