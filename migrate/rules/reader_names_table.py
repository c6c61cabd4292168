"""A reader of another state that still names the lock table."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from migrate.estate.effective import names_table
from migrate.model import Fix, Outcome, Severity, Verdict, World

NAME: Final = "reader-names-table"
SEVERITY: Final[Severity] = "warning"
FIX: Final[Fix] = "safe"
BLOCKS: Final[tuple[str, ...]] = ("retire",)
WHY: Final = (
    "A terraform_remote_state takes no lock, but while it names the table it checks the digest row. The "
    "first write of a lockfile-only writer leaves that row stale, and every such reader fails with "
    '"state data in S3 does not have the expected content".'
)
REMEDY: Final = (
    "tfrelock edit --phase readers drops the table from readers; it has no gate and may merge any day. "
    "Never add use_lockfile to a reader: releases before 1.10 refuse it."
)


def check(world: World, /) -> Iterable[Verdict]:
    for reader in world.stack.readers:
        if names_table(reader):
            because = f"{reader.name} reads this state and checks the table's digest row"
            yield Verdict(NAME, str(world.stack.id), Outcome.BROKEN, because, REMEDY, where=reader.place)
