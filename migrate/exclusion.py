"""The safety invariant, stated once: which clients of one state exclude each other.

|              | table            | both      | lockfile         |
|--------------|------------------|-----------|------------------|
| **table**    | by the table     | table     | **nothing**      |
| **both**     | table            | both      | by the lockfile  |
| **lockfile** | **nothing**      | lockfile  | by the lockfile  |

A client with no lock excludes nobody. Tried with real Terraform in both directions: a client that locks in
the table alone and one that locks with the lockfile alone write over each other without a word.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from itertools import combinations_with_replacement
from typing import Final, Literal, TypeAlias

from migrate.model import Fact, Lock, Unknown

STORES: Final = {
    Lock.TABLE: frozenset({"table"}),
    Lock.BOTH: frozenset({"table", "lockfile"}),
    Lock.LOCKFILE: frozenset({"lockfile"}),
    Lock.NONE: frozenset[str](),
}


def exclude(one: Lock, other: Lock) -> bool:
    """Whether two writers with these locks ever wait for each other: they share a store."""
    return bool(STORES[one] & STORES[other])


Word: TypeAlias = Literal["yes", "no", "unknown"]


def all_exclude(locks: Iterable[Fact[Lock]]) -> Word:
    """Over every pair of the writers of one state; a lone writer is held against itself (two runs of it at
    once).
    """
    return _all_exclude(frozenset(None if isinstance(lock, Unknown) else lock.value for lock in locks))


@cache
def _all_exclude(locks: frozenset[Lock | None]) -> Word:
    """None stands for a lock that is not known."""
    known = [lock for lock in locks if lock]
    if not all(exclude(one, other) for one, other in combinations_with_replacement(known, 2)):
        return "no"
    return "yes" if locks and None not in locks else "unknown"
