from itertools import product

import pytest

from migrate.exclusion import all_exclude, exclude, may_move
from migrate.model import Fact, Known, Lock, Unknown

T, B, F, N = Lock.TABLE, Lock.BOTH, Lock.LOCKFILE, Lock.NONE
UNKNOWN = Unknown("a variable")


@pytest.mark.parametrize(
    ("one", "other", "excluded"),
    [
        (T, T, True),
        (T, B, True),
        (T, F, False),
        (B, B, True),
        (B, F, True),
        (F, F, True),
        (N, T, False),
        (N, B, False),
        (N, F, False),
        (N, N, False),
    ],
)
def test_two_writers_exclude_each_other_when_they_share_a_store(
    one: Lock, other: Lock, excluded: bool
) -> None:
    assert exclude(one, other) is exclude(other, one) is excluded


@pytest.mark.parametrize(
    ("locks", "answer"),
    [
        ([Known(T)], "yes"),
        ([Known(N)], "no"),
        ([Known(T), Known(B)], "yes"),
        ([Known(T), Known(F)], "no"),
        ([Known(T), UNKNOWN], "unknown"),
        ([Known(T), Known(F), UNKNOWN], "no"),
        ([UNKNOWN], "unknown"),
        ([], "unknown"),
    ],
)
def test_all_writers_of_a_state(locks: list[Fact[Lock]], answer: str) -> None:
    assert all_exclude(locks) == answer


@pytest.mark.parametrize(
    ("own", "to", "others", "may"),
    [
        (T, B, [T, T], True),
        (T, F, [T], False),
        (T, F, [], False),
        (B, F, [B, F], True),
        (B, F, [B, T], False),
        (F, B, [F], True),
        (F, T, [], False),
        (N, F, [], False),
        (B, N, [], False),
    ],
)
def test_one_writer_moves_while_the_others_stay(own: Lock, to: Lock, others: list[Lock], may: bool) -> None:
    assert may_move(own, to, others) is may


def test_no_allowed_move_ever_loses_exclusion() -> None:
    """From every fleet of three writers that all exclude each other, an allowed move keeps it so."""
    for fleet in product(Lock, repeat=3):
        own, *others = fleet
        for to in Lock:
            if all_exclude(map(Known, fleet)) == "yes" and may_move(own, to, others):
                assert all_exclude(map(Known, [to, *others])) == "yes", (fleet, to)
