"""Gate of retire: no reader of the state checks the table's digest row."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from migrate.estate.effective import joined, names_table
from migrate.estate.sharing import bases, elsewhere, may_mean, workspaces
from migrate.model import Fix, Outcome, Severity, Site, StateId, Verdict, World

NAME: Final = "readers-safe"
SEVERITY: Final[Severity] = "warning"
FIX: Final[Fix] = "safe"
BLOCKS: Final[tuple[str, ...]] = ("retire",)
WHY: Final = (
    "The first lockfile-only write leaves the digest row stale, and every reader that names the table "
    "fails on it, also one that reads a workspace by the key of its object."
)
REMEDY: Final = "tfrelock edit --phase readers, in every repository that reads this state."


def check(world: World, /) -> Iterable[Verdict]:
    for reader in world.stack.readers:
        yield from _said(world, reader, Outcome.BROKEN, "reads this state and names the table")
    for stack in workspaces(world.stack, world.estate):
        for reader in stack.readers:
            yield from _said(world, reader, Outcome.BROKEN, "reads a workspace of it and names the table")
    for stack in bases(world.stack, world.estate):
        for reader in stack.readers:
            yield from _said(world, reader, Outcome.UNKNOWN, "names a table and may read this workspace")
    known = () if isinstance(world.stack.id, StateId) else world.estate.read
    for stack in (*elsewhere(world.stack, world.estate), *world.estate.unresolved, *known):
        for reader in stack.readers:
            if may_mean(joined([reader]), world.stack):
                yield from _said(world, reader, Outcome.UNKNOWN, "names a table and may read this state")


def _said(world: World, reader: Site, outcome: Outcome, what: str) -> Iterator[Verdict]:
    if names_table(reader):
        because = f"{reader.repo} {reader.place} {what}"
        settle = f"tfrelock propose --phase readers in {reader.repo}"
        yield Verdict(NAME, str(world.stack.id), outcome, because, settle, where=reader.place)
