"""The one table of the migration: its steps in merge order, what each wishes, and the gates that hold it
back.

A gate is a rule that a step names, with the ways of knowing it accepts. The numbers are the phases' names of
old, not their order.
"""

from __future__ import annotations

import enum
from collections.abc import Iterable, Sequence
from typing import Final, Literal, TypeAlias

from msgspec import Struct

from migrate.facts import against
from migrate.model import By, LockWish, Outcome, Verdict, World
from migrate.rules import GATES

Phase: TypeAlias = Literal[
    "assume-role", "pin", "iam", "readers", "dual-lock", "retire", "purge", "revoke", "delete"
]

SOURCE: Final[frozenset[By]] = frozenset({"source"})
STATED: Final[frozenset[By]] = frozenset({"stated"})
SEEN: Final[frozenset[By]] = frozenset({"seen"})


class Gate(Struct, frozen=True):
    """A rule by name, and the ways of knowing that open it."""

    name: str
    accepts: frozenset[By]


class Step(Struct, frozen=True):
    """One step: `number` is the phase it is known by."""

    phase: Phase
    number: int | None
    wish: LockWish | None
    gates: tuple[Gate, ...] = ()


STEPS: Final[Sequence[Step]] = (
    Step("assume-role", None, LockWish.ASSUME),
    Step("pin", 3, None),
    Step("iam", 2, None),
    Step("readers", 1, LockWish.READ),
    Step(
        "dual-lock",
        1,
        LockWish.DUAL,
        (
            Gate("callers-may-lock", SEEN | STATED),
            Gate("floor-in-use", SEEN | STATED | SOURCE),
            Gate("dual-possible", SEEN | STATED | SOURCE),
        ),
    ),
    Step(
        "retire",
        4,
        LockWish.RETIRE,
        (
            Gate("writers-dual", SEEN | SOURCE),
            Gate("readers-safe", SEEN | SOURCE),
            Gate("soaked", SEEN | STATED),
            Gate("table-known", SEEN | STATED),
        ),
    ),
    Step("purge", None, None, (Gate("table-unused", SEEN),)),
    Step("revoke", None, None, (Gate("table-unused", SEEN),)),
    Step("delete", None, None, (Gate("table-unused", SEEN),)),
)

BY_PHASE: Final = {step.phase: step for step in STEPS}
BY_NUMBER: Final[dict[str, Phase]] = {"1": "dual-lock", "2": "iam", "3": "pin", "4": "retire"}


class Standing(enum.Enum):
    """Where a step stands. REFUSED: its gates are open, and the edit is one we will not make."""

    DONE = "done"
    OPEN = "open"
    UNKNOWN = "unknown"
    CLOSED = "closed"
    REFUSED = "refused"


def judge(step: Step, world: World) -> tuple[Verdict, ...]:
    """One verdict for each thing the step's gates have to say; a gate with nothing to say holds."""
    return tuple(_weighed(gate, said) for gate in step.gates for said in _said(gate.name, world))


def _said(gate: str, world: World) -> Sequence[Verdict]:
    """What the rule has to say, and what was seen against it, be it a rule that reads source alone."""
    said = list(GATES[gate].check(world))
    if not any(verdict.by == "seen" for verdict in said):
        said += against(gate, world)
    holds = Verdict(gate, str(world.stack.id), Outcome.HOLDS, "nothing found that speaks against it")
    return said or [holds]


def _weighed(gate: Gate, said: Verdict) -> Verdict:
    """The verdict, but unknown where it holds by a way of knowing that does not open the gate."""
    if said.outcome is not Outcome.HOLDS or said.by in gate.accepts:
        return said
    because = f"only known by {said.by}: {said.because}"
    return Verdict(gate.name, said.subject, Outcome.UNKNOWN, because, said.settle, said.by)


NEVER_FORCED: Final = frozenset({"writers-dual"})
"""The gates of retire that `--force` does not open: without them a writer could end with no common lock."""


def standing(verdicts: Iterable[Verdict], *, forced: bool = False) -> Standing:
    """What the verdicts of a step's gates come to: one broken closes it, one unknown leaves it unknown. Where
    it is `forced`, only the gates count that cannot be.
    """
    outcomes = {verdict.outcome for verdict in verdicts if not forced or verdict.rule in NEVER_FORCED}
    if Outcome.BROKEN in outcomes:
        return Standing.CLOSED
    return Standing.UNKNOWN if Outcome.UNKNOWN in outcomes else Standing.OPEN
