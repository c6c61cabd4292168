"""One command in many directories at once, safe for a plugin cache that they share.

Terraform's plugin cache may not be written by two at once (hashicorp/terraform#31964), and while one writes a
provider another may read half of it. So a provider that is not in the cache is fetched once, into a private
cache on the same disk, and moved in whole by a rename; who needs it waits. A directory without a dependency
lock would extract its providers into the cache anew, and so would one whose lock has not the checksum of what
is there: such ones run alone, after all others.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Final

from msgspec import Struct, field

from migrate import process
from migrate.process import Call, Finished, Running
from migrate.terraform.plugin_cache import PluginCache, Provider

_EVERY: Final = 0.02
_LIMIT: Final = 3600.0
"""Seconds for one directory: providers are downloaded in it."""
_TOO_LONG: Final = b"it did not end in time and was ended\n"


class Task(Struct, frozen=True):
    """One directory and its command. `providers` are those of its dependency lock; None: nobody knows which.

    `holds` are descriptors of locks that its programs hold as long as they run.
    """

    name: str
    arguments: tuple[str, ...]
    folder: Path
    env: Mapping[str, str]
    providers: tuple[Provider, ...] | None = ()
    holds: tuple[int, ...] = ()


class Ended(Struct, frozen=True):
    """How the command ended, and all that it said."""

    task: Task
    code: int
    said: bytes


class _Started(Struct):
    """A program that runs: the task's own, or the one that fetches its providers into `private`."""

    task: Task
    running: Running
    stack: ExitStack
    private: Path | None = None
    alone: bool = False
    """It may write into the shared cache, where what it writes is there before it is whole."""
    since: float = field(default_factory=time.monotonic)

    @property
    def over(self) -> bool:
        """It has ended, or takes too long and is not waited for."""
        return self.running.ended or time.monotonic() - self.since > self.running.call.timeout


class Many:
    """`jobs` at once. Whatever ends the iteration ends what still runs."""

    def __init__(
        self, tasks: Sequence[Task], jobs: int, cache: PluginCache | None, limit: float = _LIMIT
    ) -> None:
        alone = [task for task in tasks if cache and task.providers is None]
        self._waiting = deque([*(task for task in tasks if task not in alone), *alone])
        self._jobs, self._cache, self._limit = jobs, cache, limit
        self._now: list[_Started] = []
        self._fetched: set[str] = set()
        """The tasks for which it was tried: once each."""
        self._checksums: dict[str, str | None] = {}
        """Of what is in the cache, as far as nothing was written there since: to look takes time."""

    def run(self) -> Generator[Ended, None, None]:
        """Each task as it ends, or takes too long. Raises RelockError where a program is not there."""
        try:
            while self._waiting or self._now:
                while len(self._now) < self._jobs and self._start_one():
                    pass
                ended = [one for one in self._now if one.over]
                for one in ended:
                    self._now.remove(one)
                    yield from self._finished(one)
                if not ended:
                    time.sleep(_EVERY)
        finally:
            for one in self._now:  # all of them first: we may not be given the time to wait for each
                one.running.ask_to_end()
            for one in self._now:
                one.stack.close()

    def _start_one(self) -> bool:
        """Start the first that may go now."""
        for task in self._waiting:
            if any(one.alone for one in self._now):
                return False
            fetches = self._fetches(task)
            waits = any(one.private for one in self._now) if fetches else self._goes_alone(task) and self._now
            if not waits:
                self._waiting.remove(task)
                with process.uninterrupted():
                    self._now.append(self._fetching(task) if fetches else self._started(task))
                return True
        return False

    def _fetches(self, task: Task) -> bool:
        """A provider of it is not there. Of one that is there what it is stays, whatever was fetched."""
        return task.name not in self._fetched and None in self._found(task)

    def _goes_alone(self, task: Task) -> bool:
        """It may write into the cache: its providers are not known, or not there as its lock has them."""
        if self._cache is None or self._fetches(task):
            return False
        wanted = task.providers
        return wanted is None or any(
            found not in one.checksums for one, found in zip(wanted, self._found(task), strict=True)
        )

    def _found(self, task: Task) -> Sequence[str | None]:
        """The checksums of what the cache has of its providers, None for what is not there."""
        cache, wanted = self._cache, task.providers
        if cache is None or wanted is None:
            return ()
        for one in wanted:
            if one.place not in self._checksums:
                self._checksums[one.place] = cache.checksum(one.place)
        return [self._checksums[one.place] for one in wanted]

    def _fetching(self, task: Task) -> _Started:
        stack = ExitStack()
        private = self._cache.private(stack) if self._cache else task.folder
        own = {"TF_PLUGIN_CACHE_DIR": str(private), "TF_DATA_DIR": str(private.parent / "data")}
        arguments = (task.arguments[0], "init", "-backend=false", "-input=false", "-lockfile=readonly")
        call = Call(arguments, task.folder, {**task.env, **own}, timeout=self._limit, holds=task.holds)
        return _Started(task, stack.enter_context(process.started(call)), stack, private)

    def _started(self, task: Task) -> _Started:
        stack = ExitStack()
        call = Call(task.arguments, task.folder, task.env, timeout=self._limit, holds=task.holds)
        alone = self._goes_alone(task)
        return _Started(task, stack.enter_context(process.started(call)), stack, alone=alone)

    def _finished(self, one: _Started) -> Iterator[Ended]:
        result = one.running.finished() if one.running.ended else None
        ended = result if isinstance(result, Finished) else None
        if one.private and self._cache:
            if ended and ended.ok:  # of an init that failed, half a provider may be there
                self._cache.take_over(one.private)
            self._fetched.add(one.task.name)
            self._waiting.appendleft(one.task)
        if one.private or one.alone:
            self._checksums.clear()
        one.stack.close()
        if one.private is None:
            said = ended.out + ended.err.encode() if ended else _TOO_LONG
            yield Ended(one.task, ended.code if ended else 1, said)
