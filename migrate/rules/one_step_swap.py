"""A change that swaps one lock for another in one step."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from migrate.estate.changes import place_of, renamed, said_at, swapped
from migrate.exclusion import same_table
from migrate.model import Fix, Outcome, Severity, Transition, Verdict

NAME: Final = "one-step-swap"
SEVERITY: Final[Severity] = "error"
FIX: Final[Fix] = "none"
BLOCKS: Final[tuple[str, ...]] = ()
WHY: Final = (
    "Between the table and the lockfile, or one table and another, there is no common lock: from the merge "
    "on, every checkout, runner and open branch that still has the old line writes beside the new one, and "
    "neither waits."
)
REMEDY: Final = (
    "Set both: keep dynamodb_table and add use_lockfile = true. Drop the table later, when every client "
    "holds both. So with the name of a table: it changes once every client holds both."
)


def check_transition(transition: Transition, /) -> Iterable[Verdict]:
    if transition.after is None:
        return
    subject, swap = str(transition.after.stack.id), swapped(transition)
    if swap:
        was, now = swap
        because = f"from {was.value} to {now.value} {_IN_ONE_STEP}"
        where = place_of(transition, transition.after, now)
        yield Verdict(NAME, subject, Outcome.BROKEN, because, REMEDY, where=where)
    for old, new in renamed(transition):
        if same_table(old, new) == "no":
            was_in, now_in = (old.place, new.place) if old.name == new.name else (old, new)
            because = f"from {was_in} to {now_in} {_IN_ONE_STEP}"
            named = (b for b in transition.after.stack.backends if b.table == new)
            yield Verdict(NAME, subject, Outcome.BROKEN, because, REMEDY, where=said_at(next(named)))


_IN_ONE_STEP: Final = "in one step: no common lock with what still runs"
