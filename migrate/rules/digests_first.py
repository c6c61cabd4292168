"""A change that names the table again after lockfile-only writes."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from migrate.estate.changes import lock_of
from migrate.model import Fix, Outcome, Severity, Transition, Verdict

NAME: Final = "digests-first"
SEVERITY: Final[Severity] = "warning"
FIX: Final[Fix] = "none"
BLOCKS: Final[tuple[str, ...]] = ()
WHY: Final = (
    "The digest row of the table is older than the state by now: every client that names the table "
    'fails with "state data in S3 does not have the expected content", before it can write.'
)
REMEDY: Final = (
    "Delete the state's -md5 row first (its Digest still being the one read), then merge; the next "
    "write with both locks makes a new one."
)


def check_transition(transition: Transition, /) -> Iterable[Verdict]:
    if transition.before is None or transition.after is None:
        return
    if (lock_of(transition.before.stack), lock_of(transition.after.stack)) == ("lockfile", "both"):
        because = "the table is named again: its digest row is stale until it is deleted"
        where = transition.after.stack.backends[0].place
        yield Verdict(NAME, str(transition.after.stack.id), Outcome.BROKEN, because, REMEDY, where=where)
