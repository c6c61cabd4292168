"""Work spread over processes that stream their results back.

Forked, so that nothing is imported or copied; started only for large trees, and never beside threads.
"""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from multiprocessing import get_context
from multiprocessing.connection import wait
from typing import TYPE_CHECKING, Final, TypeVar

from migrate.errors import RelockError

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

J = TypeVar("J")
R = TypeVar("R")

_BATCH: Final = 64
_MOST: Final = 4


def available() -> bool:
    """A fork beside other threads may copy a lock that nobody will release."""
    return threading.active_count() == 1


def spread(work: Callable[[Sequence[J]], Iterable[R]], jobs: Sequence[J]) -> Iterator[R]:
    """The results of `work` over all jobs, in no order.

    Raises RelockError when a process ends before it has said that it is done: a lost file is never silent.
    """
    context = get_context("fork")
    count = min(_MOST, os.cpu_count() or 1)
    readers: list[Connection[None, list[R] | None]] = []
    processes = []
    for first in range(count):
        reader, writer = context.Pipe(duplex=False)
        arguments = (work, jobs[first::count], writer, (*readers, reader))
        process = context.Process(target=_child, args=arguments, daemon=True)
        process.start()
        writer.close()
        readers.append(reader)
        processes.append(process)
    try:
        yield from _collected(readers)
    finally:
        for process in processes:
            process.terminate()
            process.join()


def _child(
    work: Callable[[Sequence[J]], Iterable[R]],
    jobs: Sequence[J],
    out: Connection[list[R] | None, None],
    others: Sequence[Connection[None, list[R] | None]],
) -> None:
    for number in (
        signal.SIGINT,
        signal.SIGPIPE,
    ):  # end without a traceback when the parent is interrupted or gone
        signal.signal(number, signal.SIG_DFL)
    for other in others:
        other.close()
    batch: list[R] = []
    for result in work(jobs):
        batch.append(result)
        if len(batch) == _BATCH:
            out.send(batch)
            batch = []
    out.send(batch)
    out.send(None)


def _collected(readers: Sequence[Connection[None, list[R] | None]]) -> Iterator[R]:
    waiting = list(readers)
    while waiting:
        ready = wait(waiting)
        for reader in [reader for reader in waiting if reader in ready]:
            try:
                batch = reader.recv()
            except EOFError:
                raise RelockError("a process that reads files ended early", "", "run it again") from None
            if batch is None:
                waiting.remove(reader)
            else:
                yield from batch
