"""A version constraint that lets in a release which does not know the lockfile well enough."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from migrate.estate.floors import APART, Barred, Below, Unsaid, below, floor
from migrate.model import Fix, Outcome, Severity, Verdict, World

NAME: Final = "floor-open"
SEVERITY: Final[Severity] = "warning"
FIX: Final[Fix] = "safe"
BLOCKS: Final[tuple[str, ...]] = ("dual-lock",)
WHY: Final = (
    "Releases before 1.10 refuse use_lockfile as an unsupported argument, and in a directory that is already "
    "initialised they ignore it without a word. Only required_version stops them, with a clear message."
)
REMEDY: Final = (
    "tfrelock edit --phase pin raises the lower bound and leaves the rest of the constraint as it is."
)


def check(world: World, /) -> Iterable[Verdict]:
    for backend in world.stack.backends:
        for entry in below(backend, world.estate):
            match entry:
                case Unsaid():
                    least = floor(world.estate, backend.engine)
                    because = f"no required_version: every release is admitted, the floor is {least}"
                    yield Verdict(
                        NAME, str(world.stack.id), Outcome.BROKEN, because, REMEDY, where=backend.place
                    )
                case Below(pin) if pin.kind == "constraint":
                    because = f"the constraint admits {entry}"
                    yield Verdict(NAME, str(world.stack.id), Outcome.BROKEN, because, REMEDY, where=pin.place)
                case Barred(pin):
                    yield Verdict(
                        NAME, str(world.stack.id), Outcome.BROKEN, str(entry), APART, where=pin.place
                    )
                case _:
                    pass
