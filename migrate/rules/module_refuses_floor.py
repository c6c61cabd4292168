"""A module that refuses every release from the floor on: the roots that call it cannot be raised."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from migrate.estate.floors import floor, refusing
from migrate.model import Fix, Outcome, Severity, Verdict, World

NAME: Final = "module-refuses-floor"
SEVERITY: Final[Severity] = "warning"
FIX: Final[Fix] = "none"
BLOCKS: Final[tuple[str, ...]] = ("dual-lock",)
WHY: Final = (
    "The required_version of a module is enforced in the runs of every root that calls it. Where it admits "
    "nothing from the floor on, init of these roots fails on each release that knows the lockfile."
)
REMEDY: Final = "Raise the module's own constraint, or take a release of it that admits the floor, first."


def check(world: World, /) -> Iterable[Verdict]:
    for backend in world.stack.backends:
        least = floor(world.estate, backend.engine)
        for pin in refusing(backend, least):
            because = f"called by {backend.root}, and admits nothing from {least} on"
            yield Verdict(NAME, str(world.stack.id), Outcome.BROKEN, because, REMEDY, where=pin.place)
