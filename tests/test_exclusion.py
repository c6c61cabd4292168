from pathlib import PurePosixPath
from typing import Final

import pytest

from migrate.exclusion import all_exclude, apart, exclude, same_table
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


EU: Final = Known("eu-west-1")


def locking(lock: Lock | None, table: Table) -> Backend:
    said: Fact[Lock] = Known(lock) if lock else Unknown("a variable")
    return Backend(RepoId("acme/net"), PurePosixPath(), (), {}, said, StateId("b", "k"), table)


def writer(lock: Lock | None, table: str | None = "t") -> Backend:
    return locking(lock, Table(Known(table) if table else Unknown("var.table"), EU))


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


NAME: Final = Known("t")


@pytest.mark.parametrize(
    ("one", "other", "answer"),
    [
        (Table(NAME, EU), Table(NAME, EU), "yes"),
        (Table(NAME, EU), Table(NAME, Known("us-east-1")), "no"),
        (Table(NAME, EU), Table(NAME, Unknown("var.region")), "yes"),
        (Table(NAME, EU, Known("1")), Table(NAME, EU, Known("2")), "no"),
        (Table(NAME, EU, Known("1")), Table(NAME, EU, Known("1")), "yes"),
        (Table(NAME, EU, Known("1")), Table(NAME, EU), "unknown"),
        (Table(NAME, EU, Unknown("var.role")), Table(NAME, EU), "unknown"),
        (Table(NAME, EU, at=Unknown("var.endpoint")), Table(NAME, EU), "unknown"),
        (Table(NAME, EU), Table(NAME, EU, at=Known("http://localhost:8000")), "no"),
        (Table(Unknown("var.t"), EU), Table(NAME, Known("us-east-1")), "no"),
        (Table(Unknown("var.t"), EU), Table(Unknown("var.t"), EU), "unknown"),
    ],
)
def test_a_table_is_another_where_something_that_is_known_of_both_differs(
    one: Table, other: Table, answer: str
) -> None:
    assert (same_table(one, other), same_table(other, one)) == (answer, answer)
    assert all_exclude([locking(T, one), locking(B, other)]) == answer
    assert all_exclude([locking(B, one), locking(B, other)]) == "yes"
