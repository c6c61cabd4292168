"""A place that chooses a binary which does not know the lockfile well enough."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from migrate.estate.floors import Below, below
from migrate.model import Fix, Outcome, Severity, Verdict, World

NAME: Final = "binary-below-floor"
SEVERITY: Final[Severity] = "warning"
FIX: Final[Fix] = "review"
BLOCKS: Final[tuple[str, ...]] = ("dual-lock",)
WHY: Final = (
    "The binary that a version file, a pipeline or an image chooses is the one that runs. Below the floor it "
    "refuses use_lockfile in a fresh directory and takes only the table lock in an initialised one."
)
REMEDY: Final = (
    "tfrelock edit --phase pin raises it together with the constraints of the roots that it serves."
)


def check(world: World, /) -> Iterable[Verdict]:
    """About the place that chooses, however many states it serves."""
    for backend in world.stack.backends:
        for entry in below(backend, world.estate):
            if isinstance(entry, Below) and entry.pin.kind != "constraint":
                because = f"{entry.pin.path.name} chooses {entry}"
                where = entry.pin.place
                yield Verdict(NAME, str(where), Outcome.BROKEN, because, REMEDY, where=where)
