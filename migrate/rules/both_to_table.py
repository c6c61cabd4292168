"""A change that gives up the lockfile while a lockfile-only writer is left."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from migrate.model import Fix, Known, Lock, Outcome, Severity, Transition, Verdict

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
    if transition.after is None:
        return
    stack = transition.after.stack
    locks = [backend.lock for backend in stack.backends]
    was = {b.lock for b in transition.before.stack.backends} if transition.before else set()
    back = Known(Lock.TABLE) in locks and Known(Lock.BOTH) in was
    if back and Known(Lock.LOCKFILE) in locks:
        because = "back to the table only, beside a writer that locks with the lockfile only"
        yield Verdict(NAME, str(stack.id), Outcome.BROKEN, because, REMEDY, where=stack.backends[0].place)
