"""Work spread over processes that stream their results back.

Forked, so that nothing is imported or copied; started only for large trees, and never beside threads. Written
out with `os` because `multiprocessing` imports sockets, which costs more than all of this does.
"""

from __future__ import annotations

import fcntl
import os
import select
import signal
import struct
import sys
import threading
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from itertools import islice
from typing import Final, NamedTuple, NoReturn, TypeVar

from migrate.errors import RelockError

J = TypeVar("J")
R = TypeVar("R")

_BATCH: Final = 64
"""Results that are sent at once."""
_UNSENT: Final = 1 << 25
"""Bytes that a process keeps in memory before it waits for whoever reads them."""
_WIDE: Final = 1 << 20
"""What a pipe should hold, in bytes: at a usual one's 64 kB a busy reader is waited for. Linux gives no more
than this to those who are not root (`pipe(7)`).
"""
_MOST: Final = 4
"""Processes."""
_YIELDING: Final = 5
"""The `nice` of a process: who asked has work meanwhile, and goes first where processors are too few."""
_ENDING: Final = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGPIPE)
_LENGTH: Final = struct.Struct("=I")
_DONE: Final = _LENGTH.pack(0)


class _Child(NamedTuple):
    pid: int
    out: int


def available() -> bool:
    """A fork beside other threads may copy a lock that nobody will release."""
    return threading.active_count() == 1


@contextmanager
def spread(work: Callable[[Sequence[J]], Iterable[R]], jobs: Sequence[J]) -> Iterator[Iterator[R]]:
    """The results of `work` over all jobs, in no order. The processes begin at once, and end with the `with`.

    Raises RelockError when a process ends before it has said that it is done: a lost file is never silent.
    """
    count = min(_MOST, os.cpu_count() or 1)
    children: list[_Child] = []
    try:
        for first in range(count):
            children.append(_forked(work, jobs[first::count], children))
        yield _collected([child.out for child in children])
    finally:
        for child in children:
            os.kill(child.pid, signal.SIGTERM)  # not waited for yet, so the number is still its own
            os.waitpid(child.pid, 0)
            os.close(child.out)


def in_order(work: Callable[[J], R], jobs: Sequence[J]) -> Generator[R, None, None]:
    """What `map` gives, made in several processes; results are of any kind that can be pickled.

    The first is made here: what it imports and keeps is there in all of them.
    """
    import pickle  # noqa: PLC0415  an audit needs none

    yield from map(work, jobs[:1])

    def numbered(numbers: Sequence[int]) -> Iterator[tuple[int, bytes]]:
        return ((number, pickle.dumps(work(jobs[number]))) for number in numbers)

    with spread(numbered, range(1, len(jobs))) as sent:
        early: dict[int, bytes] = {}
        for number in range(1, len(jobs)):
            while number not in early:
                early.update([next(sent)])
            yield pickle.loads(early.pop(number))  # noqa: S301  our own child wrote it


def _forked(
    work: Callable[[Sequence[J]], Iterable[R]], jobs: Sequence[J], others: Iterable[_Child]
) -> _Child:
    out, into = _wide_pipe()
    before = signal.pthread_sigmask(signal.SIG_BLOCK, _ENDING)  # until the child heeds them in its own way
    pid = os.fork()
    if pid == 0:
        for other in others:
            os.close(other.out)
        os.close(out)
        _run(work, jobs, into)
    signal.pthread_sigmask(signal.SIG_SETMASK, before)
    os.close(into)
    return _Child(pid, out)


def _wide_pipe() -> tuple[int, int]:
    """A pipe that takes what is there and never waits, as much as the system lets it hold."""
    out, into = os.pipe()
    os.set_blocking(into, False)
    with suppress(AttributeError, OSError):  # not on macOS; more than one user may have
        fcntl.fcntl(into, fcntl.F_SETPIPE_SZ, _WIDE)
    return out, into


def _run(work: Callable[[Sequence[J]], Iterable[R]], jobs: Sequence[J], into: int) -> NoReturn:
    """The life of a child. It unwinds nothing of its parent's, and ends silently when that is gone."""
    for number in _ENDING:
        signal.signal(number, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, _ENDING)
    os.nice(_YIELDING)
    try:
        results, unsent = iter(work(jobs)), bytearray()
        while batch := list(islice(results, _BATCH)):
            unsent += _packed(batch)
            _send(into, unsent, _UNSENT)
        _send(into, unsent + _DONE, 0)
    except BaseException:
        sys.excepthook(*sys.exc_info())
        raise
    finally:
        os._exit(0)


def _send(into: int, unsent: bytearray, most: int) -> None:
    """Write what the pipe takes; wait for it only while more than `most` is left: who reads may be busy."""
    while unsent:
        try:
            del unsent[: os.write(into, unsent)]
        except BlockingIOError:
            if len(unsent) <= most:
                return
            select.select((), (into,), ())


def _packed(batch: list[R]) -> bytes:
    import pickle  # noqa: PLC0415  here: a process of its own imports it while others work

    data = pickle.dumps(batch, pickle.HIGHEST_PROTOCOL)
    return _LENGTH.pack(len(data)) + data


def _collected(pipes: Iterable[int]) -> Iterator[R]:
    import pickle  # noqa: PLC0415  as above

    waiting = list(pipes)
    while waiting:
        for pipe in select.select(waiting, (), ())[0]:
            (length,) = _LENGTH.unpack(_exactly(pipe, _LENGTH.size))
            if length:
                yield from pickle.loads(_exactly(pipe, length))  # noqa: S301  our own child wrote it
            else:
                waiting.remove(pipe)


def _exactly(pipe: int, length: int) -> bytes:
    """So many bytes; raises RelockError when the other end closes before."""
    data = b""
    while len(data) < length:
        piece = os.read(pipe, length - len(data))
        if not piece:
            raise RelockError("a process of ours ended early", "", "run it again")
        data += piece
    return data
