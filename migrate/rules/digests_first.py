"""A change that names the table again after lockfile-only writes."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from migrate.estate.changes import goes, place_of
from migrate.model import Fix, Lock, Outcome, Severity, Transition, Verdict

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
    if transition.after and goes(transition, Lock.LOCKFILE, Lock.BOTH):
        because = "the table is named again: its digest row is stale until it is deleted"
        where = place_of(transition, transition.after, Lock.BOTH)
        yield Verdict(NAME, str(transition.after.stack.id), Outcome.BROKEN, because, REMEDY, where=where)
