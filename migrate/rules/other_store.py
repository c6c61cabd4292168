"""A state in a store that is not Amazon's: whether it keeps two writers of a lockfile apart is not known."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from migrate.model import Fix, Outcome, Severity, StateId, Verdict, World

NAME: Final = "other-store"
SEVERITY: Final[Severity] = "warning"
FIX: Final[Fix] = "none"
BLOCKS: Final[tuple[str, ...]] = ("dual-lock", "retire")
WHY: Final = (
    "The lockfile is a PUT with If-None-Match. A store that does not know the header writes over the lock of "
    "another, and both runs apply; some refuse a second lock after a deleted one, or the SDK's checksum."
)
REMEDY: Final = (
    "Try it in its versioned bucket: aws s3api put-object --if-none-match '*' twice, where the second must "
    "fail with 412; then delete the object, and it must succeed again."
)


def check(world: World, /) -> Iterable[Verdict]:
    state = world.stack.id
    if isinstance(state, StateId) and state.endpoint and world.stack.backends:
        because = f"whether {state.endpoint} refuses the second of two locks is not known"
        where = world.stack.backends[0].place
        yield Verdict(NAME, str(state), Outcome.UNKNOWN, because, REMEDY, where=where)
