"""A writer that locks in the table alone: where the migration starts."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from migrate.model import Fix, Known, Lock, Outcome, Severity, Verdict, World

NAME: Final = "table-only"
SEVERITY: Final[Severity] = "note"
FIX: Final[Fix] = "safe"
BLOCKS: Final[tuple[str, ...]] = ("retire",)
WHY: Final = (
    "The DynamoDB table lock is deprecated since Terraform 1.11. The way to the lockfile goes over both "
    "locks, never directly."
)
REMEDY: Final = (
    "tfrelock plan says what is safe next; tfrelock edit --phase dual-lock adds use_lockfile beside the "
    "table."
)


def check(world: World, /) -> Iterable[Verdict]:
    for backend in world.stack.backends:
        if backend.lock == Known(Lock.TABLE):
            because = "locked in the table only"
            yield Verdict(NAME, str(world.stack.id), Outcome.BROKEN, because, REMEDY, where=backend.place)
