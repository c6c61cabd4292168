"""The safety invariant, stated once: which clients of one state exclude each other.

|              | table            | both      | lockfile         |
|--------------|------------------|-----------|------------------|
| **table**    | by the table     | table     | **nothing**      |
| **both**     | table            | both      | by the lockfile  |
| **lockfile** | **nothing**      | lockfile  | by the lockfile  |

A client with no lock excludes nobody. Tried with real Terraform in both directions: a client that locks in
the table alone and one that locks with the lockfile alone write over each other without a word. So do two
that lock in two tables: of different names, or of one name in two accounts or regions.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from itertools import combinations
from typing import Final, Literal, TypeAlias

from migrate.model import Backend, Fact, Known, Lock, Table

STORES: Final = {
    Lock.TABLE: frozenset({"table"}),
    Lock.BOTH: frozenset({"table", "lockfile"}),
    Lock.LOCKFILE: frozenset({"lockfile"}),
    Lock.NONE: frozenset[str](),
}
"""Where a writer with each lock says that it writes."""


def exclude(one: Lock, other: Lock) -> bool:
    """Whether two writers with these locks ever wait for each other: they share a store."""
    return bool(STORES[one] & STORES[other])


Word: TypeAlias = Literal["yes", "no", "unknown"]
Client: TypeAlias = tuple[Lock | None, Table | None]
"""A lock, None where it is not known, and the table that is named."""


def apart(one: Backend, other: Backend) -> bool:
    """Whether two writers of one state are known to have no lock in common."""
    return _between(_client(one), _client(other)) == "no"


def all_exclude(backends: Iterable[Backend]) -> Word:
    """Over every pair of the writers of one state; a lone writer is held against itself (two runs of it at
    once).
    """
    clients = list(map(_client, backends))
    words = {_with_itself(lock) for lock, _ in clients} | _among(Counter(clients))
    if "no" in words:
        return "no"
    return "unknown" if "unknown" in words or not words else "yes"


def _among(clients: Counter[Client]) -> set[Word]:
    """Over every pair; there are many writers, and few kinds of them."""
    words = {_between(one, other) for one, other in combinations(clients, 2)}
    return words | {_between(client, client) for client, count in clients.items() if count > 1}


def same_table(one: Table, other: Table) -> Word:
    """Whether two configurations of one state lock in one table: of the same name, account and endpoint.

    They may say different things of the account, one of them a role and one none, and mean the same. A region
    that is not known is that of their bucket, and a bucket is in one.
    """
    facts = [(one.name, other.name), (one.account, other.account), (one.at, other.at)]
    if any(_differ(*pair) for pair in (*facts, (one.region, other.region))):
        return "no"
    return "yes" if isinstance(one.name, Known) and all(mine == its for mine, its in facts) else "unknown"


def _differ(mine: Fact[str], its: Fact[str]) -> bool:
    return isinstance(mine, Known) and isinstance(its, Known) and mine.value != its.value


def _client(backend: Backend) -> Client:
    return backend.lock.value if isinstance(backend.lock, Known) else None, backend.table


def _with_itself(lock: Lock | None) -> Word:
    if lock is None:
        return "unknown"
    return "yes" if exclude(lock, lock) else "no"


def _between(one: Client, other: Client) -> Word:
    """Two that share the table alone wait for each other in the same one only."""
    (lock, table), (other_lock, other_table) = one, other
    if lock is None or other_lock is None:
        return "unknown"
    if STORES[lock] & STORES[other_lock] != {"table"}:
        return "yes" if exclude(lock, other_lock) else "no"
    if table is None or other_table is None:
        return "unknown"
    return same_table(table, other_table)
