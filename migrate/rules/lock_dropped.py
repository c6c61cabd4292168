"""A change that leaves a state without any lock."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from migrate.estate.changes import dropped, lock_of, place_of
from migrate.model import Fix, Lock, Outcome, Severity, Transition, Verdict

NAME: Final = "lock-dropped"
SEVERITY: Final[Severity] = "error"
FIX: Final[Fix] = "none"
BLOCKS: Final[tuple[str, ...]] = ()
WHY: Final = (
    "With neither dynamodb_table nor use_lockfile Terraform writes the state without a lock and says nothing."
)
REMEDY: Final = "Keep one of the two; while other clients lock in the table, keep both."


def check_transition(transition: Transition, /) -> Iterable[Verdict]:
    if transition.before is None or transition.after is None:
        return
    if dropped(transition):
        because = f"from {lock_of(transition.before.stack)} to no lock at all"
        where = place_of(transition, transition.after, Lock.NONE)
        yield Verdict(NAME, str(transition.after.stack.id), Outcome.BROKEN, because, REMEDY, where=where)
