"""Things put together by what they have in common."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable
from typing import TypeVar

T = TypeVar("T")
K = TypeVar("K")


def grouped(things: Iterable[T], key: Callable[[T], K]) -> dict[K, list[T]]:
    """The things by `key` of each: keys in the order in which they first come, things in theirs."""
    found: dict[K, list[T]] = defaultdict(list)
    for thing in things:
        found[key(thing)].append(thing)
    return dict(found)
