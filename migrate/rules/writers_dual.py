"""Gate of retire: every writer of the state holds both locks."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice
from typing import Final

from migrate.estate.effective import is_complete
from migrate.estate.sharing import others_in_table
from migrate.model import Backend, Fix, Known, Lock, Outcome, Severity, StateId, Unknown, Verdict, World

NAME: Final = "writers-dual"
SEVERITY: Final[Severity] = "warning"
FIX: Final[Fix] = "safe"
BLOCKS: Final[tuple[str, ...]] = ("retire",)
WHY: Final = (
    "A table-only writer and a lockfile-only one exclude nobody, so the first lockfile-only writer may "
    "come only when no table-only one is left, nor one that may write this state for all that is known."
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
                settle = _BY_HAND if lock is Lock.NONE else REMEDY
                yield Verdict(NAME, subject, Outcome.BROKEN, because, settle, where=backend.place)
            case _:
                pass
    if not (isinstance(world.stack.id, StateId) or all(map(_is_whole, world.stack.backends))):
        because = "the state is not known, nor all that decides its lock"
        yield Verdict(NAME, subject, Outcome.UNKNOWN, because, "tfrelock explain unresolved")
    elif found := list(islice(others_in_table(world.stack, world.estate), 2)):
        one, others = found[0], ", and so may others" if len(found) > 1 else ""
        because = f"{one.where.repo} {one.where} may write this state, and {one.how}{others}"
        yield Verdict(NAME, subject, Outcome.UNKNOWN, because, one.settle, where=one.where)


def _is_whole(backend: Backend) -> bool:
    """Whether all is there that decides its lock: of bucket and key it says at least from where they come."""
    return backend.inputs[0].role not in ("partial", "flag") and is_complete(backend.settings)


_BY_HAND: Final = "write the locks of its other writers there by hand: no step adds one where none is"
_SAID: Final = {Lock.TABLE: "the table only", Lock.NONE: "nothing"}
