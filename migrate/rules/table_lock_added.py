"""A new state, or one without a lock, that starts with the table lock."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from migrate.estate.changes import lock_of
from migrate.model import Fix, Outcome, Severity, Transition, Verdict

NAME: Final = "table-lock-added"
SEVERITY: Final[Severity] = "warning"
FIX: Final[Fix] = "none"
BLOCKS: Final[tuple[str, ...]] = ()
WHY: Final = (
    "The table lock is deprecated since Terraform 1.11; a state that starts with it today has the whole "
    "migration before it."
)
REMEDY: Final = "Start with use_lockfile = true; beside clients that lock in the table, with both."


def check_transition(transition: Transition, /) -> Iterable[Verdict]:
    if transition.after is None:
        return
    was = lock_of(transition.before.stack) if transition.before else "none"
    if was == "none" and lock_of(transition.after.stack) == "table":
        because = "locks in the table only, from the start"
        where = transition.after.stack.backends[0].place
        yield Verdict(NAME, str(transition.after.stack.id), Outcome.BROKEN, because, REMEDY, where=where)
