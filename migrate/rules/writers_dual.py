"""Gate of retire: every writer of the state holds both locks."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from migrate.estate.sharing import may_mean
from migrate.model import Backend, Fix, Known, Lock, Outcome, Severity, StateId, Unknown, Verdict, World

NAME: Final = "writers-dual"
SEVERITY: Final[Severity] = "warning"
FIX: Final[Fix] = "safe"
BLOCKS: Final[tuple[str, ...]] = ("retire",)
WHY: Final = (
    "A table-only writer and a lockfile-only one exclude nobody, so the first lockfile-only writer may "
    "come only when no table-only one is left."
)
REMEDY: Final = "tfrelock propose --phase dual-lock, and merge it for every backend of this state first."


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
        return
    for backend in (b for stack in world.estate.unresolved for b in stack.backends):
        if _without_lockfile(backend) and may_mean(backend.settings, world.stack):
            because = f"{backend.repo} {backend.place} may write this state, and locks in the table alone"
            settle = f"tfrelock propose --phase dual-lock in {backend.repo}"
            yield Verdict(NAME, subject, Outcome.UNKNOWN, because, settle, where=backend.place)


_SAID: Final = {Lock.TABLE: "the table only", Lock.NONE: "nothing"}


def _without_lockfile(backend: Backend) -> bool:
    """Whether it names a table and, for all we know, takes no lockfile."""
    return backend.table is not None and backend.lock != Known(Lock.BOTH)
