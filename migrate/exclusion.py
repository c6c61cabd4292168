"""The safety invariant, stated once: which clients of one state exclude each other.

|              | table            | both      | lockfile         |
|--------------|------------------|-----------|------------------|
| **table**    | by the table     | table     | **nothing**      |
| **both**     | table            | both      | by the lockfile  |
| **lockfile** | **nothing**      | lockfile  | by the lockfile  |

A client with no lock excludes nobody. Tried with real Terraform in both directions: a client that locks in
the table alone and one that locks with the lockfile alone write over each other without a word. So do two
that lock in tables of different names.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from itertools import combinations
from typing import Final, Literal, TypeAlias

from migrate.model import Backend, Known, Lock

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
Client: TypeAlias = tuple[Lock | None, str | None]
"""A lock and the name of its table; None where one is not known."""


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


def _client(backend: Backend) -> Client:
    table = backend.table.name if backend.table else None
    return (
        backend.lock.value if isinstance(backend.lock, Known) else None,
        table.value if isinstance(table, Known) else None,
    )


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
    return "yes" if table == other_table else "no"
