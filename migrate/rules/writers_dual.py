"""Gate of retire: every writer of the state holds both locks."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from migrate.model import Fix, Known, Lock, Outcome, Severity, StateId, Unknown, Verdict, World

NAME: Final = "writers-dual"
SEVERITY: Final[Severity] = "warning"
FIX: Final[Fix] = "safe"
BLOCKS: Final[tuple[str, ...]] = ("retire",)
WHY: Final = (
    "A table-only writer and a lockfile-only one exclude nobody, so the first lockfile-only writer may "
    "come only when no table-only one is left."
)
REMEDY: Final = "tfrelock propose --phase dual-lock, and merge it for every backend of this state first."


_SAID: Final = {Lock.TABLE: "the table only", Lock.NONE: "nothing"}


def check(world: World, /) -> Iterable[Verdict]:
    subject = str(world.stack.id)
    for backend in world.stack.backends:
        match backend.lock:
            case Unknown(why, settle):
                yield Verdict(NAME, subject, Outcome.UNKNOWN, why, settle, where=backend.place)
            case Known(Lock.TABLE | Lock.NONE as lock):
                because = f"{backend.repo} {backend.place} locks with {_SAID[lock]}"
                yield Verdict(NAME, subject, Outcome.BROKEN, because, REMEDY, where=backend.place)
            case _:
                pass
    if not isinstance(world.stack.id, StateId):
        because = "the state is not known, so neither are its other writers"
        yield Verdict(NAME, subject, Outcome.UNKNOWN, because, "tfrelock explain unresolved")
