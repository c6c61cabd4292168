"""A state with a writer that locks in the table alone and one with the lockfile alone."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from migrate.model import Fix, Known, Lock, Outcome, Severity, Verdict, World

NAME: Final = "no-common-lock"
SEVERITY: Final[Severity] = "error"
FIX: Final[Fix] = "none"
BLOCKS: Final[tuple[str, ...]] = ("retire",)
WHY: Final = (
    "A client that locks only in the DynamoDB table and one that locks only with the lockfile do not "
    "wait for each other: both applies run, the later one overwrites the state of the earlier, and "
    "neither says so."
)
REMEDY: Final = (
    "Give the lockfile-only writer its dynamodb_table back (delete the state's -md5 row first) or give "
    "the table-only one both locks, today. Stop applies of this state until that is merged."
)


def check(world: World, /) -> Iterable[Verdict]:
    locked = [(b, b.lock.value) for b in world.stack.backends if isinstance(b.lock, Known)]
    tables = [b for b, lock in locked if lock is Lock.TABLE]
    files = [b for b, lock in locked if lock is Lock.LOCKFILE]
    for backend in files if tables else ():
        because = (
            f"{backend.repo} {backend.place} locks with the lockfile alone, "
            f"{tables[0].repo} {tables[0].place} in the table alone: they do not exclude each other"
        )
        yield Verdict(NAME, str(world.stack.id), Outcome.BROKEN, because, REMEDY, where=backend.place)
