"""Gate of dual-lock: no generator of this backend is either/or."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from migrate.model import Fix, Outcome, Severity, Verdict, World

NAME: Final = "dual-possible"
SEVERITY: Final[Severity] = "warning"
FIX: Final[Fix] = "none"
BLOCKS: Final[tuple[str, ...]] = ("dual-lock",)
WHY: Final = (
    "Some generators drop the table as soon as the lockfile is switched on, so that their dual lock is "
    "a one-step swap."
)
REMEDY: Final = (
    "Take the backend out of the generator, or teach its template to write both arguments, before dual-lock."
)


def check(world: World, /) -> Iterable[Verdict]:
    for backend in world.stack.backends:
        for site in backend.inputs:
            if site.exclusive:
                because = f"{site.place} writes the table or the lockfile, never both"
                yield Verdict(NAME, str(world.stack.id), Outcome.BROKEN, because, REMEDY, where=site.place)
