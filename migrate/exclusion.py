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
from itertools import combinations
from typing import Final, Literal

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


def all_exclude(locks: Iterable[Fact[Lock]]) -> Literal["yes", "no", "unknown"]:
    """Over every pair of the writers of one state; a lone writer is held against itself (two runs of it at
    once).
    """
    given = list(locks)
    known = [lock.value for lock in given if not isinstance(lock, Unknown)]
    if any(not exclude(lock, lock) for lock in known) or any(
        not exclude(a, b) for a, b in combinations(set(known), 2)
    ):
        return "no"
    return "yes" if given and len(known) == len(given) else "unknown"
