"""A state with two writers that have no lock in common."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain, islice
from typing import Final

from migrate.estate.layered import in_one_place
from migrate.estate.sharing import of_workspaces
from migrate.exclusion import apart
from migrate.model import Backend, Fix, Known, Lock, Outcome, Severity, Verdict, World

NAME: Final = "no-common-lock"
SEVERITY: Final[Severity] = "error"
FIX: Final[Fix] = "none"
BLOCKS: Final[tuple[str, ...]] = ("retire",)
WHY: Final = (
    "A client that locks only in the DynamoDB table and one that locks only with the lockfile do not "
    "wait for each other: both applies run, the later one overwrites the state of the earlier, and "
    "neither says so. Nor do two that lock in tables of different names, "
    "accounts or regions."
)
REMEDY: Final = (
    "Give the lockfile-only writer its dynamodb_table back (delete the state's -md5 row first) or give "
    "the table-only one both locks, today; of two tables let all name one. Stop applies of this state until "
    "that is merged."
)


def check(world: World, /) -> Iterable[Verdict]:
    several = (writers for writers in in_one_place(world.stack) if len(writers) > 1)
    for one, other in (pair for writers in several for pair in _pairs(writers)):
        because = f"{_says(one, other)}, {_says(other, one)}: they do not exclude each other"
        yield Verdict(NAME, str(world.stack.id), Outcome.BROKEN, because, REMEDY, where=one.place)
    for mine in world.stack.backends:
        of_others = (_pairs((mine, other)) for other in of_workspaces(world.stack, world.estate))
        for one, other in islice(chain.from_iterable(of_others), 1):
            because = f"{_says(one, other)}, {_says(other, one)}: {_IN_WORKSPACE}"
            yield Verdict(NAME, str(world.stack.id), Outcome.UNKNOWN, because, REMEDY, where=mine.place)


_IN_WORKSPACE: Final = (
    "they do not exclude each other where the workspace that this state is named as is used"
)


def _pairs(backends: Iterable[Backend]) -> Iterator[tuple[Backend, Backend]]:
    """Each writer with one lock alone, beside the first that it does not exclude; a lockfile beside a table
    only, not the other way round.
    """
    held = [(b, b.lock.value) for b in backends if isinstance(b.lock, Known)]
    tables = [b for b, lock in held if lock is Lock.TABLE]
    files = [b for b, lock in held if lock is Lock.LOCKFILE]
    in_tables = [b for b, lock in held if lock in (Lock.TABLE, Lock.BOTH)]
    for one, others in (*((b, tables) for b in files), *((b, in_tables) for b in tables)):
        found = next((other for other in others if apart(one, other)), None)
        if found:
            yield one, found


def _says(backend: Backend, other: Backend) -> str:
    if backend.lock == Known(Lock.LOCKFILE):
        return f"{backend.repo} {backend.place} locks with the lockfile alone"
    one_name = backend.table and other.table and backend.table.name == other.table.name
    table = backend.table.place if backend.table and one_name else backend.table
    also = " and with the lockfile" if backend.lock == Known(Lock.BOTH) else " alone"
    return f"{backend.repo} {backend.place} locks in {table}{also}"
