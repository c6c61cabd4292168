"""The roles that take the lock of a state: of each the best that is known, and those that were only seen."""

from __future__ import annotations

from pathlib import PurePosixPath

import pytest
from msgspec.structs import replace

from migrate.callers import callers
from migrate.model import By, Place, Shown
from tests.estate.world import NET, TABLE, site, world
from tests.rules.gate import said, seen

STATE = "s3://acme-state/net.tfstate"
Row = tuple[str, bool | None, By]


def in_source(role: str, holds: bool | None = None, *, runs: bool = True) -> Shown:
    """A role as source names it; `${…}` is one that an expression makes."""
    place = Place(NET, PurePosixPath("iam/ci.tf"), 12)
    name = "" if role.startswith("$") else role
    return Shown(STATE, role, holds, "as source has it", place, name=name, runs=runs)


def told(*rows: Shown, seen_as: dict[str, bool | None] | None = None, stated: str = "") -> list[Row]:
    facts = tuple(
        replace(seen("callers-may-lock", holds), role=role) for role, holds in (seen_as or {}).items()
    )
    word = (said("callers-may-lock", {"role": stated}),) if stated else ()
    given = world(site("net/main.tf", TABLE), stated=word, seen=facts)
    given = replace(given, estate=replace(given.estate, shown={STATE: rows}))
    return [(one.role, one.holds, one.by) for one in callers(given)]


@pytest.mark.parametrize(
    "role",
    [
        "ci",
        "role/ci",
        "arn:aws:iam::111122223333:role/ci",
        "arn:aws:iam::111122223333:role/teams/net/ci",
        "arn:aws:sts::111122223333:assumed-role/ci/run-8841",
        "arn:aws:iam::111122223333:user/ci",
    ],
)
def test_a_role_is_known_by_its_own_name_however_it_was_asked(role: str) -> None:
    assert told(in_source("ci"), seen_as={role: True}) == [("ci", True, "seen")]


def test_a_session_is_not_the_role_of_its_name() -> None:
    session = "arn:aws:sts::111122223333:assumed-role/plan/ci"
    assert told(in_source("ci"), seen_as={session: True}) == [("ci", None, "source"), (session, True, "seen")]


@pytest.mark.parametrize(
    ("holds", "seen_holds", "expected"),
    [
        (False, True, True),
        (None, False, False),
        (True, None, None),
    ],
)
def test_what_was_seen_wins_over_source(
    holds: bool | None, seen_holds: bool | None, expected: bool | None
) -> None:
    assert told(in_source("ci", holds), seen_as={"role/ci": seen_holds}) == [("ci", expected, "seen")]


def test_of_several_answers_of_a_role_the_worst_counts() -> None:
    as_ci = (
        "role/ci",
        "arn:aws:sts::111122223333:assumed-role/ci/a",
        "arn:aws:sts::111122223333:assumed-role/ci/b",
    )
    answers = dict(zip(as_ci, (False, True, None), strict=True))
    assert told(in_source("ci"), seen_as=answers) == [("ci", False, "seen")]
    answers = dict(zip(as_ci, (True, None, True), strict=True))
    assert told(in_source("ci"), seen_as=answers) == [("ci", None, "seen")]


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        (in_source("ci"), ("ci", True, "stated")),
        (in_source("ci", holds=True), ("ci", True, "stated")),
        (in_source("ci", holds=False), ("ci", False, "source")),
        (in_source("plan"), ("plan", None, "source")),
        (in_source("${var.role}"), ("${var.role}", None, "source")),
    ],
)
def test_a_word_counts_for_its_role_where_source_does_not_say_no(row: Shown, expected: Row) -> None:
    assert told(row, stated="ci") == [expected]


AS_CI: Row = ("role/ci", True, "seen")


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        ([in_source("${var.role}")], [("${var.role}", True, "seen"), AS_CI]),
        (
            [in_source("${var.role}"), in_source("${var.role}")],
            [("${var.role}", True, "seen"), ("${var.role}", True, "seen"), AS_CI],
        ),
        (
            [in_source("${var.a}"), in_source("${var.b}")],
            [("${var.a}", None, "source"), ("${var.b}", None, "source"), AS_CI],
        ),
        (
            [in_source("${var.a}"), in_source("${var.b}", runs=False), in_source("plan")],
            [("${var.a}", True, "seen"), ("${var.b}", None, "source"), ("plan", None, "source"), AS_CI],
        ),
        (
            [in_source("${var.role}"), in_source("ci")],
            [("${var.role}", None, "source"), ("ci", True, "seen")],
        ),
    ],
)
def test_roles_of_expressions_are_taken_for_those_that_were_seen_where_these_are_as_many(
    rows: list[Shown], expected: list[Row]
) -> None:
    assert told(*rows, seen_as={"role/ci": True}) == expected
