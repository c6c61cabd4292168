"""Two estates of the same repositories, before and after a change → what becomes of each state.

States are paired by bucket and key. A backend that writes another state than before has moved: it is known by
its root and partial files, or by its root alone where its old state has no writer any more.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import TypeAlias

from msgspec.structs import replace

from migrate.estate.changes import key
from migrate.model import Backend, Estate, Stack, Transition, World

Stacks: TypeAlias = Mapping[str, Stack]
"""By the state's id; those that have a writer."""
States: TypeAlias = Mapping[tuple[str, ...], set[str]]


def transitions(before: Estate, after: Estate, now: str) -> Iterator[Transition]:
    """One for each state with a writer on either side, and one for the writers that moved from one to
    another. `now` is an ISO 8601 date.
    """
    old, new = _written(before), _written(after)
    for name in sorted(old.keys() & new.keys()):
        yield Transition(World(old[name], before, now), World(new[name], after, now))
    left = set(old) - set(new)
    for name, stack in sorted(new.items()):
        for origin, backends in sorted(_by_origin(stack, name, old, new).items()):
            left.discard(origin)
            came = World(replace(stack, backends=tuple(backends)), after, now)
            if origin:
                yield Transition(World(old[origin], before, now), came, moved=True)
            elif name not in old:
                yield Transition(None, came)
    for name in sorted(left):
        yield Transition(World(old[name], before, now), None)


def _written(estate: Estate) -> Stacks:
    return {str(stack.id): stack for stack in estate.stacks if stack.backends}


def _by_origin(stack: Stack, name: str, old: Stacks, new: Stacks) -> Mapping[str, list[Backend]]:
    """The writers of a state by the state that each wrote before; those that wrote none under ""."""
    was, gone = _states(old.items()), _roots(old[name] for name in old.keys() - new.keys())
    now = _states(new.items())
    found: dict[str, list[Backend]] = defaultdict(list)
    for backend in stack.backends:
        known = was.get(key(backend))
        moved = known - now[key(backend)] if known else gone.get(key(backend)[:2], set())
        if name not in (known or ()):
            found[min(moved, default="")].append(backend)
    return found


def _states(stacks: Iterable[tuple[str, Stack]]) -> States:
    found: dict[tuple[str, ...], set[str]] = defaultdict(set)
    for name, stack in stacks:
        for backend in stack.backends:
            found[key(backend)].add(name)
    return found


def _roots(stacks: Iterable[Stack]) -> States:
    found: dict[tuple[str, ...], set[str]] = defaultdict(set)
    for stack in stacks:
        for backend in stack.backends:
            found[key(backend)[:2]].add(str(stack.id))
    return found
