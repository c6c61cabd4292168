"""Gate of deleting the table: nothing reads or writes it any more."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from migrate.model import Fix, Outcome, Severity, Verdict, World

NAME: Final = "table-unused"
SEVERITY: Final[Severity] = "warning"
FIX: Final[Fix] = "none"
BLOCKS: Final[tuple[str, ...]] = ("purge", "revoke", "delete")
WHY: Final = (
    "A table that somebody still locks in must not go; only the table's own traffic shows that nobody does."
)
REMEDY: Final = "Keep the table, and the rights to it."


def check(world: World, /) -> Iterable[Verdict]:
    because = "this version reads no evidence of the table's use"
    yield Verdict(NAME, str(world.stack.id), Outcome.UNKNOWN, because, REMEDY)
