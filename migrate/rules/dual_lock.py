"""A writer that holds both locks: half-way, and safe beside every other client."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from migrate.model import Fix, Known, Lock, Outcome, Severity, Verdict, World

NAME: Final = "dual-lock"
SEVERITY: Final[Severity] = "note"
FIX: Final[Fix] = "review"
BLOCKS: Final[tuple[str, ...]] = ()
WHY: Final = (
    "A writer with both locks excludes table-only and lockfile-only clients alike. It stays so until "
    "every writer holds both, every reader is off the table, and that has soaked."
)
REMEDY: Final = "tfrelock plan shows which gates of retire are still closed."


def check(world: World, /) -> Iterable[Verdict]:
    for backend in world.stack.backends:
        if backend.lock == Known(Lock.BOTH):
            because = "locked in the table and with the lockfile"
            yield Verdict(NAME, str(world.stack.id), Outcome.BROKEN, because, REMEDY, where=backend.place)
