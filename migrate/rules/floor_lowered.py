"""A change that lets older releases in where the lockfile is already in use."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from migrate.estate.changes import lock_of
from migrate.estate.floors import below, floor
from migrate.model import Fix, Outcome, Severity, Transition, Verdict, World

NAME: Final = "floor-lowered"
SEVERITY: Final[Severity] = "error"
FIX: Final[Fix] = "none"
BLOCKS: Final[tuple[str, ...]] = ()
WHY: Final = (
    "A release below the floor refuses use_lockfile in a fresh directory and ignores it in an "
    "initialised one."
)
REMEDY: Final = "Keep required_version at or above the floor."


def check_transition(transition: Transition, /) -> Iterable[Verdict]:
    if transition.before is None or transition.after is None:
        return
    after = transition.after
    if lock_of(after.stack) in ("both", "lockfile") and _open(after) and not _open(transition.before):
        because = "required_version admits releases below the floor again"
        where = after.stack.backends[0].place
        yield Verdict(NAME, str(after.stack.id), Outcome.BROKEN, because, REMEDY, where=where)


def _open(world: World) -> bool:
    return any(list(below(backend, floor(world.estate, backend.engine))) for backend in world.stack.backends)
