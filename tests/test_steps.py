"""The steps: their table, which way of knowing opens a gate, and what its verdicts come to."""

from __future__ import annotations

from pathlib import PurePosixPath

import pytest
from msgspec.structs import replace

from migrate.model import By, Known, Outcome, Pin, Seen, Stated, Verdict, World
from migrate.steps import SEEN, SOURCE, STATED, STEPS, Gate, Standing, Step, judge, standing
from migrate.text import Span
from tests.estate.world import BOTH, NET, TABLE, site, world

HOLDS, BROKEN, UNKNOWN = Outcome.HOLDS, Outcome.BROKEN, Outcome.UNKNOWN
ADMITS_NOTHING_OLD = Pin(
    NET,
    PurePosixPath("net/main.tf"),
    "required_version",
    "constraint",
    None,
    Known(">= 1.11.0"),
    Span(0, 0),
    1,
    PurePosixPath("net"),
)


def test_the_table_of_steps() -> None:
    """A change of order, wish, gate or accepted grade shows here as a diff."""
    rows = [
        f"{s.phase} {s.number} {s.wish.name if s.wish else None}: "
        + ", ".join(f"{g.name}({'|'.join(sorted(g.accepts))})" for g in s.gates)
        for s in STEPS
    ]
    assert rows == [
        "assume-role None ASSUME: ",
        "pin 3 None: ",
        "iam 2 None: ",
        "readers 1 READ: ",
        (
            "dual-lock 1 DUAL: callers-may-lock(seen|stated), floor-in-use(seen|source|stated), "
            "dual-possible(seen|source|stated)"
        ),
        (
            "retire 4 RETIRE: writers-dual(seen|source), readers-safe(seen|source), soaked(seen|stated), "
            "table-known(seen|stated)"
        ),
        "purge None None: table-unused(seen)",
        "revoke None None: table-unused(seen)",
        "delete None None: table-unused(seen)",
    ]


READY = world(site("net/main.tf", BOTH))
STATE = str(READY.stack.id)
NOTHING = "nothing found that speaks against it"


def only(gate: Gate, given: World) -> tuple[Outcome, By, str]:
    """What a step that names this gate alone is told."""
    (said,) = judge(Step("retire", 4, None, (gate,)), given)
    assert (said.rule, said.subject) == (gate.name, STATE)
    return said.outcome, said.by, said.because


@pytest.mark.parametrize(
    ("accepts", "expected"),
    [
        (SEEN | SOURCE, (HOLDS, "source", NOTHING)),
        (SEEN | STATED, (UNKNOWN, "source", f"only known by source: {NOTHING}")),
    ],
)
def test_a_gate_with_nothing_to_say_holds_by_source(
    accepts: frozenset[By], expected: tuple[Outcome, By, str]
) -> None:
    assert only(Gate("writers-dual", accepts), READY) == expected


WORD = "platform@acme.example: canary run 8841 (until 2027-02-28)"


def test_what_is_broken_is_so_however_it_is_known() -> None:
    outcome, by, _ = only(Gate("writers-dual", STATED), world(site("net/main.tf", TABLE)))
    assert (outcome, by) == (BROKEN, "source")


@pytest.mark.parametrize(
    ("accepts", "expected"),
    [
        (STATED, (HOLDS, "stated", WORD)),
        (SEEN, (UNKNOWN, "stated", f"only known by stated: {WORD}")),
    ],
)
def test_a_word_opens_the_gates_that_accept_one(
    accepts: frozenset[By], expected: tuple[Outcome, By, str]
) -> None:
    word = Stated("soaked", {"bucket": "*"}, "platform@acme.example", "canary run 8841", "2027-02-28")
    given = world(site("net/main.tf", BOTH), stated=(word,))
    assert only(Gate("soaked", accepts), given) == expected


GATES = sorted({gate.name for step in STEPS for gate in step.gates} - {"table-unused"})


@pytest.mark.parametrize("gate", GATES)
@pytest.mark.parametrize(("holds", "expected"), [(False, BROKEN), (None, UNKNOWN)])
def test_what_was_seen_against_a_gate_counts_whatever_source_says(
    gate: str, holds: bool | None, expected: Outcome
) -> None:
    fact = Seen(gate, STATE, holds, "role/ci", "2027-01-15T09:00:00Z", "an old runner")
    backend = replace(READY.stack.backends[0], pins=(ADMITS_NOTHING_OLD,))
    given = replace(READY, stack=replace(READY.stack, backends=(backend,)))
    given = replace(given, estate=replace(READY.estate, seen=(fact,)))
    step = Step("retire", 4, None, (Gate(gate, SEEN | STATED | SOURCE),))
    (said,) = [verdict for verdict in judge(step, given) if verdict.outcome is not HOLDS]
    told = "role/ci, 2027-01-15T09:00:00Z: an old runner"
    assert (said.outcome, said.by, said.because) == (expected, "seen", told)


def verdict(outcome: Outcome, rule: str = "soaked") -> Verdict:
    return Verdict(rule, STATE, outcome, "so it is")


@pytest.mark.parametrize(
    ("verdicts", "stands", "forced"),
    [
        ([], Standing.OPEN, Standing.OPEN),
        ([verdict(HOLDS)], Standing.OPEN, Standing.OPEN),
        ([verdict(HOLDS), verdict(UNKNOWN)], Standing.UNKNOWN, Standing.OPEN),
        ([verdict(UNKNOWN), verdict(BROKEN), verdict(HOLDS)], Standing.CLOSED, Standing.OPEN),
        ([verdict(UNKNOWN, "writers-dual")], Standing.UNKNOWN, Standing.UNKNOWN),
        ([verdict(BROKEN, "writers-dual")], Standing.CLOSED, Standing.CLOSED),
        ([verdict(BROKEN), verdict(HOLDS, "writers-dual")], Standing.CLOSED, Standing.OPEN),
    ],
)
def test_one_broken_gate_closes_a_step_and_one_unknown_leaves_it_unknown(
    verdicts: list[Verdict], stands: Standing, forced: Standing
) -> None:
    """Forced, only the gate counts without which two writers could end with no lock in common."""
    assert (standing(verdicts), standing(verdicts, forced=True)) == (stands, forced)
