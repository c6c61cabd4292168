"""Gate of retire: both locks have been taken for long enough."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from migrate.facts import judged
from migrate.model import Fix, Severity, Verdict, World

NAME: Final = "soaked"
SEVERITY: Final[Severity] = "warning"
FIX: Final[Fix] = "none"
BLOCKS: Final[tuple[str, ...]] = ("retire",)
WHY: Final = (
    "Old checkouts, open branches, saved plans and kept directories go on locking in the table alone "
    "for a while after dual-lock is merged."
)
REMEDY: Final = (
    "Wait until every runner, branch and directory has been initialised with both locks; then state it "
    "in facts: that: soaked, or use --force REASON."
)


def check(world: World, /) -> Iterable[Verdict]:
    unknown = "nobody said how long both locks have been in use"
    yield judged(NAME, world, unknown, "facts: soaked", of_table=True)
