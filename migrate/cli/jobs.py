"""Many repositories side by side, what comes of each in the order they were given."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextvars import copy_context
from typing import Final, TypeVar

import click

T = TypeVar("T")
R = TypeVar("R")

with_jobs: Final = click.option(
    "--jobs",
    type=click.IntRange(1, 16),
    default=4,
    show_default=True,
    metavar="NUMBER",
    help="How many repositories are worked on at once.",
)


def side_by_side(jobs: int, act: Callable[[T], R], items: Iterable[T]) -> Iterator[R]:
    """What `act` makes of each item; at most twice as many as `jobs` wait to be taken.

    An interrupt or an error lets what runs end, and begins nothing new.
    """
    running: deque[Future[R]] = deque()
    with ThreadPoolExecutor(jobs) as pool:
        try:
            for item in items:
                running.append(pool.submit(copy_context().run, act, item))
                if len(running) >= 2 * jobs:
                    yield running.popleft().result()
            while running:
                yield running.popleft().result()
        finally:
            pool.shutdown(wait=False, cancel_futures=True)
