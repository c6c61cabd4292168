"""Gate of retire: no consumer of the lock table is unknown."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from migrate.facts import judged
from migrate.model import Fix, Severity, Verdict, World

NAME: Final = "table-known"
SEVERITY: Final[Severity] = "warning"
FIX: Final[Fix] = "none"
BLOCKS: Final[tuple[str, ...]] = ("retire",)
WHY: Final = (
    "Tables are shared between repositories, and one repository cannot show that nothing else uses its table."
)
REMEDY: Final = (
    "Look at every place under mentions and at the other repositories that share the table; then state "
    "it in facts: that: table-known, or use --force REASON."
)


def check(world: World, /) -> Iterable[Verdict]:
    places = len(world.estate.unread) + sum(not mention.accounted for mention in world.estate.mentions)
    unknown = uncovered(places) if places else "other repositories and people may use the table"
    yield judged(NAME, world, unknown, "facts: table-known", of_table=True)


def uncovered(places: int) -> str:
    """How many places may set a lock that nobody read."""
    named = "1 place names" if places == 1 else f"{places} places name"
    return f"{named} a lock table in forms this version does not read"
