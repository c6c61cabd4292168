"""Two estates of the same repositories, before and after a change → what becomes of each state.

States are paired by bucket and key. What is left is paired by root and partial file: the same backend that
now writes another state has moved.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Literal, TypeAlias

from migrate.model import Backend, Estate, Known, Stack, Transition, World

Word: TypeAlias = Literal["table", "both", "lockfile", "none", "mixed", "unknown"]
Key: TypeAlias = tuple[str, ...]


def lock_of(stack: Stack) -> Word:
    """One word for all writers of a state: theirs, or `mixed`; one unknown makes all unknown."""
    locks = {backend.lock.value for backend in stack.backends if isinstance(backend.lock, Known)}
    if not locks or any(not isinstance(backend.lock, Known) for backend in stack.backends):
        return "unknown"
    return locks.pop().value if len(locks) == 1 else "mixed"


def transitions(before: Estate, after: Estate, now: str) -> Iterator[Transition]:
    """One for each state that has a writer on either side; `now` is an ISO 8601 date."""
    old, new = _by_state(before), _by_state(after)
    for name in sorted(old.keys() & new.keys()):
        yield Transition(World(old[name], before, now), World(new[name], after, now))
    gone = {name: stack for name, stack in old.items() if name not in new}
    come = {name: stack for name, stack in new.items() if name not in old}
    moved = _moved(gone, come)
    for name in sorted(come):
        origin = moved.get(name)
        was = World(gone[origin], before, now) if origin else None
        yield Transition(was, World(come[name], after, now), moved=origin is not None)
    for name in sorted(gone.keys() - set(moved.values())):
        yield Transition(World(gone[name], before, now), None)


def _by_state(estate: Estate) -> Mapping[str, Stack]:
    return {str(stack.id): stack for stack in estate.stacks if stack.backends}


def _moved(gone: Mapping[str, Stack], come: Mapping[str, Stack]) -> Mapping[str, str]:
    """New state → the old one that the same backend wrote."""
    origins = {key: name for name, stack in gone.items() for key in _keys(stack.backends)}
    pairs = {
        name: [origins[key] for key in _keys(stack.backends) if key in origins]
        for name, stack in come.items()
    }
    return {name: found[0] for name, found in pairs.items() if found}


def _keys(backends: Iterable[Backend]) -> Iterator[Key]:
    for backend in backends:
        partial = (str(site.path) for site in backend.inputs[1:])
        yield (backend.repo, str(backend.root), *partial)
