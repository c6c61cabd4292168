"""Gate of retire: no reader of the state checks the table's digest row."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from migrate.estate.readers import may_read, names_table
from migrate.model import Fix, Outcome, Severity, StateId, Verdict, World

NAME: Final = "readers-safe"
SEVERITY: Final[Severity] = "warning"
FIX: Final[Fix] = "safe"
BLOCKS: Final[tuple[str, ...]] = ("retire",)
WHY: Final = (
    "The first lockfile-only write leaves the digest row stale, and every reader that names the table "
    "fails on it."
)
REMEDY: Final = "tfrelock edit --phase readers, in every repository that reads this state."


def check(world: World, /) -> Iterable[Verdict]:
    subject = str(world.stack.id)
    for reader in world.stack.readers:
        if names_table(reader):
            because = f"{reader.repo} {reader.place} reads this state and names the table"
            settle = f"tfrelock propose --phase readers in {reader.repo}"
            yield Verdict(NAME, subject, Outcome.BROKEN, because, settle, where=reader.place)
    for stack in world.estate.stacks:
        for reader in stack.readers:
            if not isinstance(stack.id, StateId) and names_table(reader) and may_read(reader, world.stack.id):
                because = f"{reader.repo} {reader.place} names a table and may read this state"
                settle = f"tfrelock propose --phase readers in {reader.repo}"
                yield Verdict(NAME, subject, Outcome.UNKNOWN, because, settle, where=reader.place)
