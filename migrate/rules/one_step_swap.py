"""A change that swaps one lock for the other in one step."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from migrate.estate.changes import lock_of
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
    if transition.before is None or transition.after is None:
        return
    was, now = lock_of(transition.before.stack), lock_of(transition.after.stack)
    if {was, now} == {"table", "lockfile"}:
        because = f"from {was} to {now} in one step: no common lock with what still runs"
        where = transition.after.stack.backends[0].place
        yield Verdict(NAME, str(transition.after.stack.id), Outcome.BROKEN, because, REMEDY, where=where)
