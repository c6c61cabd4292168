"""A change that swaps one lock for the other in one step."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from migrate.estate.changes import place_of, swapped
from migrate.model import Fix, Outcome, Severity, Transition, Verdict

NAME: Final = "one-step-swap"
SEVERITY: Final[Severity] = "error"
FIX: Final[Fix] = "none"
BLOCKS: Final[tuple[str, ...]] = ()
WHY: Final = (
    "Between the table and the lockfile there is no common lock: from the merge on, every checkout, "
    "runner and open branch that still has the old line writes beside the new one, and neither waits."
)
REMEDY: Final = (
    "Set both: keep dynamodb_table and add use_lockfile = true. Drop the table later, when every client "
    "holds both."
)


def check_transition(transition: Transition, /) -> Iterable[Verdict]:
    swap = swapped(transition)
    if transition.after and swap:
        was, now = swap
        because = f"from {was.value} to {now.value} in one step: no common lock with what still runs"
        where = place_of(transition, transition.after, now)
        yield Verdict(NAME, str(transition.after.stack.id), Outcome.BROKEN, because, REMEDY, where=where)
