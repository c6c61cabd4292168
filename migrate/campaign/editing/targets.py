"""Which sites a step changes, and which of them must wait for one another.

Of a backend's inputs the one that decides is edited: where `use_lockfile` already stands, else where the
table is named. A block that serves several states is changed only when every one of them may move.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from collections.abc import Set as AbstractSet
from typing import TypeVar

from msgspec import Struct
from msgspec.structs import replace

from migrate.estate.effective import names_table
from migrate.grouping import grouped
from migrate.model import Backend, Estate, Known, Lock, LockWish, Site, Stack, StateId, Unknown
from migrate.wishes import OF_THE_TABLE, TABLE, assume

T = TypeVar("T")


class Target(Struct, frozen=True):
    """One site to change for one stack. All targets of one `group` are changed, or none."""

    site: Site
    wish: LockWish
    stack: Stack
    group: str


def targets(estate: Estate, wish: LockWish) -> Iterator[Target]:
    """Every site that the wish concerns, once for each stack that it serves.

    ADOPT is DUAL, and also a lockfile for clients that take no lock. What copies are generated from is
    concerned with each of them.
    """
    sources = {idle.site.id: idle.site for idle in estate.idle}
    for stack in estate.stacks:
        for target in _of_stack(stack, wish):
            yield target
            source = sources.get(target.site.copy_of or "")
            if source:
                yield replace(target, site=source)


def _of_stack(stack: Stack, wish: LockWish) -> Iterator[Target]:
    match wish:
        case LockWish.READ:
            yield from _readers(stack)
        case LockWish.DUAL | LockWish.ADOPT:
            yield from _dual(stack, adopting=wish is LockWish.ADOPT)
        case LockWish.RETIRE:
            yield from _retire(stack)
        case LockWish.ASSUME:
            yield from assuming(stack)


def _readers(stack: Stack) -> Iterator[Target]:
    for reader in stack.readers:
        if names_table(reader):
            yield Target(reader, LockWish.READ, stack, reader.copy_of or reader.id)


def _dual(stack: Stack, *, adopting: bool) -> Iterator[Target]:
    for backend in stack.backends:
        site = _decides_lockfile(backend)
        if backend.table and backend.lock != Known(Lock.BOTH):
            yield Target(site, LockWish.DUAL, stack, _group(backend))
        if adopting and backend.lock == Known(Lock.NONE):
            yield Target(site, LockWish.ADOPT, stack, _group(backend))


def uses_no_table(stack: Stack) -> bool:
    """No client of a known state uses a table, for all we know: only then may a lockfile come alone."""
    locks = [backend.lock for backend in stack.backends]
    alone = all(not isinstance(lock, Unknown) and lock.value in (Lock.NONE, Lock.LOCKFILE) for lock in locks)
    return alone and isinstance(stack.id, StateId) and not any(map(names_table, stack.readers))


def _retire(stack: Stack) -> Iterator[Target]:
    for backend in stack.backends:
        for site in backend.inputs:
            if any(site.setting(name) for name in OF_THE_TABLE):
                yield Target(site, LockWish.RETIRE, stack, _group(backend))


def assuming(stack: Stack) -> Iterator[Target]:
    """What names a role as Terraform no longer reads it; OpenTofu still does."""
    for backend in stack.backends:
        for site in backend.inputs if backend.engine == "terraform" else ():
            if assume.removed(site):
                yield Target(site, LockWish.ASSUME, stack, _group(backend))
    if {backend.engine for backend in stack.backends} != {"opentofu"}:
        for reader in stack.readers:
            if assume.removed(reader):
                yield Target(reader, LockWish.ASSUME, stack, reader.id)


def _decides_lockfile(backend: Backend) -> Site:
    """The input to write `use_lockfile` in: where it stands, else by the table, else by the bucket."""
    for names in (("use_lockfile",), TABLE, ("bucket",)):
        for site in reversed(backend.inputs):
            if any(site.setting(name) for name in names):
                return site
    return backend.inputs[0]


def _group(backend: Backend) -> str:
    """By place: outcomes of one choice, sites of one span, change together; so do a source and its copies."""
    block = backend.inputs[0]
    if block.copy_of:
        return block.copy_of
    return " + ".join(f"{site.repo}:{site.path}@{site.span.start}" for site in backend.inputs)


def groups_of(chosen: Iterable[Target]) -> list[set[str]]:
    """The ids of the sites of each group."""
    by_group = grouped(chosen, lambda target: target.group).values()
    return [{target.site.id for target in group} for group in by_group]


def closure(refused: Iterable[T], groups: Iterable[AbstractSet[T]]) -> set[T]:
    """The refused, and all that share a group with one of them, directly or through other groups: a group is
    edited as a whole or not at all.
    """
    fallen = set(refused)
    pending = [group for group in groups if not group <= fallen]
    while hit := [group for group in pending if group & fallen]:
        fallen = fallen.union(*hit)
        pending = [group for group in pending if not group <= fallen]
    return fallen
