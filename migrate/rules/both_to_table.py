"""A change that gives up the lockfile while a lockfile-only writer is left."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from migrate.estate.changes import place_of, stranded
from migrate.model import Fix, Lock, Outcome, Severity, Transition, Verdict

NAME: Final = "both-to-table"
SEVERITY: Final[Severity] = "error"
FIX: Final[Fix] = "none"
BLOCKS: Final[tuple[str, ...]] = ()
WHY: Final = (
    "Going back to the table alone beside a writer that has only the lockfile leaves the two without a "
    "common lock."
)
REMEDY: Final = "Bring the lockfile-only writers back to both locks first."


def check_transition(transition: Transition, /) -> Iterable[Verdict]:
    if transition.after and stranded(transition):
        because = "back to the table only, beside a writer that locks with the lockfile only"
        where = place_of(transition, transition.after, Lock.TABLE)
        yield Verdict(NAME, str(transition.after.stack.id), Outcome.BROKEN, because, REMEDY, where=where)
