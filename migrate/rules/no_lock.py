"""A writer that takes no lock at all."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from migrate.model import Fix, Known, Lock, Outcome, Severity, Verdict, World

NAME: Final = "no-lock"
SEVERITY: Final[Severity] = "error"
FIX: Final[Fix] = "safe"
BLOCKS: Final[tuple[str, ...]] = ()
WHY: Final = (
    "With neither dynamodb_table nor use_lockfile Terraform writes the state without any lock and "
    "without a warning."
)
REMEDY: Final = (
    "Where no client of this state uses a table: tfrelock edit --phase dual-lock --include-unlocked "
    "adds use_lockfile."
)


def check(world: World, /) -> Iterable[Verdict]:
    for backend in world.stack.backends:
        if backend.lock == Known(Lock.NONE):
            because = "neither dynamodb_table nor use_lockfile is set: nothing stops two writers at once"
            yield Verdict(NAME, str(world.stack.id), Outcome.BROKEN, because, REMEDY, where=backend.place)
