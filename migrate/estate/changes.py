"""What a change does to the locks of one state, all its writers taken together.

A writer is not followed by name: what still runs with a lock that was given up meets what runs with one that
was taken up, whichever writers of the state these are.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import product
from typing import Literal, TypeAlias

from migrate.estate.effective import names_lock
from migrate.exclusion import same_table
from migrate.model import Backend, Fact, Known, Lock, Place, Stack, Table, Transition, World

Word: TypeAlias = Literal["table", "both", "lockfile", "none", "mixed", "unknown"]


def lock_of(stack: Stack) -> Word:
    """One word for all writers of a state."""
    return lock_word(stack.backends)


def lock_word(backends: Iterable[Backend]) -> Word:
    """One word for several writers: theirs, or `mixed`; one unknown makes all unknown, and so does none."""
    words: set[Word] = {
        backend.lock.value.value if isinstance(backend.lock, Known) else "unknown" for backend in backends
    }
    if not words or "unknown" in words:
        return "unknown"
    return words.pop() if len(words) == 1 else "mixed"


def given_up(change: Transition) -> Counter[Fact[Lock]]:
    """The locks that fewer writers hold after the change."""
    return _locks(change.before) - _locks(change.after)


def taken_up(change: Transition) -> Counter[Fact[Lock]]:
    """The locks that more writers hold after the change."""
    return _locks(change.after) - _locks(change.before)


def goes(change: Transition, was: Lock, now: Lock) -> bool:
    """Whether one lock is given up and the other taken up."""
    return Known(was) in given_up(change) and Known(now) in taken_up(change)


def swapped(change: Transition) -> tuple[Lock, Lock] | None:
    """The two locks, where one that excludes the other takes its place."""
    pairs = ((Lock.TABLE, Lock.LOCKFILE), (Lock.LOCKFILE, Lock.TABLE))
    return next(((was, now) for was, now in pairs if goes(change, was, now)), None)


def retires(change: Transition) -> bool:
    """Whether a writer comes to hold the lockfile alone where the table was in use, other than by a swap."""
    before = change.before.stack.backends if change.before else ()
    in_use = any(backend.lock in (Known(Lock.TABLE), Known(Lock.BOTH)) for backend in before)
    return in_use and Known(Lock.LOCKFILE) in taken_up(change) and not swapped(change)


def renamed(change: Transition) -> Iterator[tuple[Table, Table]]:
    """The table given up and the one taken up by writers of one state that have no lockfile before or after:
    unless both are one, they share nothing with those that still run.
    """
    if change.moved:
        return
    before, after = _in_tables(change.before), _in_tables(change.after)
    for (was, old), (now, new) in product(before - after, after - before):
        if Lock.TABLE in (was, now) and same_table(old, new) != "yes":
            yield old, new


def dropped(change: Transition) -> bool:
    """Whether a writer that held a lock, or may have, holds none."""
    return bool(given_up(change)) and Known(Lock.NONE) in taken_up(change)


def stranded(change: Transition) -> bool:
    """Whether a lockfile is given up beside a writer that has nothing else."""
    after = change.after.stack.backends if change.after else ()
    return goes(change, Lock.BOTH, Lock.TABLE) and any(b.lock == Known(Lock.LOCKFILE) for b in after)


def place_of(change: Transition, after: World, lock: Lock) -> Place:
    """What says that a writer holds this lock `after` the change; best of one that did not before."""
    before = change.before.stack.backends if change.before else ()
    held = {key(backend): backend.lock for backend in before}

    def rank(backend: Backend) -> tuple[bool, bool]:
        return backend.lock != Known(lock), held.get(key(backend)) == backend.lock

    return said_at(min(after.stack.backends, key=rank))


def said_at(backend: Backend) -> Place:
    """Where a writer's lock is said: in the last of its inputs that names one, or its block."""
    return next((site.place for site in reversed(backend.inputs) if names_lock(site)), backend.place)


def key(backend: Backend) -> tuple[str, ...]:
    """What tells a backend from others across a change: its root and its partial files."""
    return (backend.repo, str(backend.root), *(str(site.path) for site in backend.inputs[1:]))


def _in_tables(world: World | None) -> Counter[tuple[Lock, Table]]:
    held = ((b.lock, b.table) for b in world.stack.backends) if world else ()
    return Counter(
        (lock.value, table)
        for lock, table in held
        if table and isinstance(lock, Known) and lock.value in (Lock.TABLE, Lock.BOTH)
    )


def _locks(world: World | None) -> Counter[Fact[Lock]]:
    return Counter(backend.lock for backend in world.stack.backends) if world else Counter()
