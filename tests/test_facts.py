"""What people state and what was seen, looked up for one state: whose word counts, of what, and how long."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from migrate.facts import against, covers, judged
from migrate.model import By, Outcome, Scalar, Seen, Stated, Unknown, World
from tests.estate.world import ACME, APP, BOTH, LOCKFILE, NET, TODAY, site, world
from tests.rules.gate import said, seen

HOLDS, BROKEN, UNKNOWN = Outcome.HOLDS, Outcome.BROKEN, Outcome.UNKNOWN
EVERY: Mapping[str, str] = {"bucket": "*"}


@pytest.mark.parametrize(
    ("settings", "of", "expected"),
    [
        (BOTH, {"bucket": "acme-*"}, True),
        (BOTH, {"bucket": "acme-*", "state": "s3://acme-state/net*"}, True),
        (BOTH, {"bucket": "acme-*", "state": "s3://acme-state/app*"}, False),
        (BOTH, {"repository": str(NET)}, True),
        (BOTH, {"table": "acme-locks"}, True),
        ({**BOTH, "dynamodb_table": Unknown("var.table")}, {"table": "*"}, False),
        ({**BOTH, "bucket": Unknown("var.bucket")}, EVERY, False),
        ({"key": "net.tfstate"}, EVERY, False),
        (BOTH, {"role": "*"}, False),
        (BOTH, {}, False),
    ],
)
def test_a_statement_covers_what_all_its_words_match(
    settings: Mapping[str, Scalar | Unknown], of: Mapping[str, str], expected: bool
) -> None:
    (backend,) = world(site("net/main.tf", settings)).stack.backends
    assert covers(said("soaked", of), backend) is expected


@pytest.mark.parametrize(("role", "expected"), [("ci", True), ("plan", False), ("", False)])
def test_a_statement_about_a_role_covers_that_role(role: str, expected: bool) -> None:
    (backend,) = world(site("net/main.tf", BOTH)).stack.backends
    assert covers(said("callers-may-lock", {"bucket": "acme-*", "role": "ci"}), backend, role) is expected


def given(*facts: Stated | Seen) -> World:
    """A state with two writers, of which this is stated or was seen."""
    return world(
        site("net/main.tf", BOTH),
        site("main.tf", BOTH, repo=APP),
        stated=tuple(fact for fact in facts if isinstance(fact, Stated)),
        seen=tuple(fact for fact in facts if isinstance(fact, Seen)),
    )


def elsewhere(holds: bool) -> Seen:
    return Seen("soaked", "s3://acme-state/app.tfstate", holds, "role/ci", "2027-01-15T09:00:00Z", "asked")


WORD = "platform@acme.example: canary run 8841 (until 2027-02-28)"


@pytest.mark.parametrize(
    ("facts", "expected"),
    [
        ([], (UNKNOWN, "source", "nobody said")),
        ([said("soaked", EVERY)], (HOLDS, "stated", WORD)),
        ([said("soaked", EVERY, until=TODAY)], (HOLDS, "stated", WORD.replace("2027-02-28", TODAY))),
        ([said("soaked", EVERY, until="2027-01-14")], (UNKNOWN, "source", "nobody said")),
        ([said("table-known", EVERY)], (UNKNOWN, "source", "nobody said")),
        ([said("soaked", {"repository": str(NET)})], (UNKNOWN, "source", "nobody said")),
        (
            [said("soaked", {"repository": str(NET)}), said("soaked", {"repository": str(APP)})],
            (HOLDS, "stated", WORD),
        ),
        ([seen("soaked", True)], (HOLDS, "seen", "role/ci, 2027-01-15T09:00:00Z: asked")),
        (
            [seen("soaked", False), seen("soaked", True)],
            (BROKEN, "seen", "role/ci, 2027-01-15T09:00:00Z: asked"),
        ),
        (
            [seen("soaked", None), seen("soaked", True)],
            (UNKNOWN, "seen", "role/ci, 2027-01-15T09:00:00Z: asked"),
        ),
        (
            [seen("soaked", False), said("soaked", EVERY)],
            (BROKEN, "seen", "role/ci, 2027-01-15T09:00:00Z: asked"),
        ),
        ([seen("table-known", True)], (UNKNOWN, "source", "nobody said")),
        ([elsewhere(holds=True)], (UNKNOWN, "source", "nobody said")),
        ([elsewhere(holds=False), said("soaked", EVERY)], (HOLDS, "stated", WORD)),
    ],
)
def test_what_counts_of_a_state(facts: list[Stated | Seen], expected: tuple[Outcome, By, str]) -> None:
    verdict = judged("soaked", given(*facts), "nobody said", "facts: soaked")
    assert (verdict.outcome, verdict.by, verdict.because) == expected


OF_TABLE: Mapping[str, str] = {"table": "acme-locks"}
NEW: Mapping[str, Scalar] = {**BOTH, "dynamodb_table": "new-locks"}


@pytest.mark.parametrize(
    ("writers", "of", "of_table", "expected"),
    [
        ([BOTH, BOTH], OF_TABLE, False, HOLDS),
        ([BOTH, LOCKFILE], OF_TABLE, False, UNKNOWN),
        ([BOTH, LOCKFILE], OF_TABLE, True, HOLDS),
        ([LOCKFILE, BOTH], {**OF_TABLE, "repository": str(NET)}, True, HOLDS),
        ([BOTH, LOCKFILE], {**OF_TABLE, "repository": str(APP)}, True, UNKNOWN),
        ([BOTH, NEW, LOCKFILE], OF_TABLE, True, UNKNOWN),
        ([BOTH, ACME], OF_TABLE, True, UNKNOWN),
        ([LOCKFILE, LOCKFILE], OF_TABLE, True, UNKNOWN),
        ([LOCKFILE, LOCKFILE], EVERY, True, HOLDS),
    ],
)
def test_what_is_stated_of_a_table_is_stated_of_those_that_left_it(
    writers: list[Mapping[str, Scalar]], of: Mapping[str, str], of_table: bool, expected: Outcome
) -> None:
    sites = [site(f"r{at}/main.tf", settings) for at, settings in enumerate(writers)]
    asked = world(*sites, stated=(said("soaked", of),))
    assert judged("soaked", asked, "nobody said", "", of_table=of_table).outcome is expected


@pytest.mark.parametrize(("holds", "outcomes"), [(True, []), (False, [BROKEN]), (None, [UNKNOWN])])
def test_what_was_seen_speaks_against_it_unless_it_is_yes(
    holds: bool | None, outcomes: list[Outcome]
) -> None:
    assert [verdict.outcome for verdict in against("soaked", given(seen("soaked", holds)))] == outcomes
    assert against("soaked", given(seen("table-known", holds), elsewhere(holds=False))) == []
