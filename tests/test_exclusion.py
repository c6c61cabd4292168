from pathlib import PurePosixPath

import pytest

from migrate.exclusion import all_exclude, apart, exclude
from migrate.model import Backend, Fact, Known, Lock, RepoId, StateId, Table, Unknown

T, B, F, N = Lock.TABLE, Lock.BOTH, Lock.LOCKFILE, Lock.NONE


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


def writer(lock: Lock | None, table: str | None = "t") -> Backend:
    said: Fact[Lock] = Known(lock) if lock else Unknown("a variable")
    name: Fact[str] = Known(table) if table else Unknown("var.table")
    return Backend(
        RepoId("acme/net"), PurePosixPath(), (), {}, said, StateId("b", "k"), Table(name, Known("eu-west-1"))
    )


@pytest.mark.parametrize(
    ("writers", "answer"),
    [
        ([writer(T)], "yes"),
        ([writer(N)], "no"),
        ([writer(T), writer(B)], "yes"),
        ([writer(T), writer(F)], "no"),
        ([writer(T), writer(None)], "unknown"),
        ([writer(T), writer(F), writer(None)], "no"),
        ([writer(None)], "unknown"),
        ([], "unknown"),
        ([writer(T), writer(T, "u")], "no"),
        ([writer(T), writer(B, "u")], "no"),
        ([writer(B), writer(B, "u")], "yes"),
        ([writer(F), writer(B, "u")], "yes"),
        ([writer(T), writer(T)], "yes"),
        ([writer(T, None)], "yes"),
        ([writer(T, None), writer(T, None)], "unknown"),
        ([writer(T, None), writer(B)], "unknown"),
        ([writer(B, None), writer(B)], "yes"),
    ],
)
def test_all_writers_of_a_state(writers: list[Backend], answer: str) -> None:
    assert all_exclude(writers) == answer


@pytest.mark.parametrize(
    ("one", "other", "known_apart"),
    [
        (writer(T), writer(F), True),
        (writer(T), writer(T, "u"), True),
        (writer(T), writer(B), False),
        (writer(T), writer(T, None), False),
        (writer(None), writer(F), False),
    ],
)
def test_two_writers_are_apart_only_where_that_is_known(
    one: Backend, other: Backend, known_apart: bool
) -> None:
    assert apart(one, other) is apart(other, one) is known_apart
