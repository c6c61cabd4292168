import pytest

from migrate.exclusion import all_exclude, exclude
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
