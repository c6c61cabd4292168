"""One command in many directories at once, safe for a plugin cache that they share.

Terraform's plugin cache may not be written by two at once (hashicorp/terraform#31964), and while one writes a
provider another may read half of it. So a provider that is not in the cache is fetched once, into a private
cache on the same disk, and moved in whole by a rename; who needs it waits. A directory without a dependency
lock would extract its providers into the cache anew, so such ones run alone, after all others.
"""

from __future__ import annotations

import platform
import re
import sys
import time
from collections import deque
from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from msgspec import Struct, field

from migrate import process
from migrate.errors import RelockError
from migrate.process import Call, Finished, Running

_PROVIDER: Final = re.compile(r'(?m)^provider "([^"]+)" \{\s*version\s*=\s*"([^"]+)"')
_MACHINES: Final = {"x86_64": "amd64", "aarch64": "arm64", "i686": "386"}
_EVERY: Final = 0.02
_LIMIT: Final = 3600.0
"""Seconds for one directory: providers are downloaded in it."""
_TOO_LONG: Final = b"it did not end in time and was ended\n"
_DIRECTORY: Final = re.compile(r'(?m)^\s*plugin_cache_dir\s*=\s*"([^"]+)"')
_VARIABLE: Final = re.compile(r"\$\{?(\w+)\}?|^~(?=/)")


class Task(Struct, frozen=True):
    """One directory and its command. `providers` are paths in a cache; None: nobody knows which.

    `holds` are descriptors of locks that its programs hold as long as they run.
    """

    name: str
    arguments: tuple[str, ...]
    folder: Path
    env: Mapping[str, str]
    providers: tuple[str, ...] | None = ()
    holds: tuple[int, ...] = ()


class Ended(Struct, frozen=True):
    """How the command ended, and all that it said."""

    task: Task
    code: int
    said: bytes


def locked(lock: bytes) -> tuple[str, ...]:
    """The providers of a `.terraform.lock.hcl`, as paths in a plugin cache."""
    machine = platform.machine().lower()
    system = f"{sys.platform}_{_MACHINES.get(machine, machine)}"
    found = _PROVIDER.findall(lock.decode("utf-8", "replace"))
    return tuple(f"{source}/{version}/{system}" for source, version in found)


class PluginCache(Struct, frozen=True):
    """A folder in which Terraform keeps providers for all directories."""

    folder: Path

    def missing(self, task: Task) -> bool:
        """Whether a provider of the task is not there; nobody knows of one whose providers are not known."""
        return task.providers is None or not all((self.folder / one).exists() for one in task.providers)

    def private(self, stack: ExitStack) -> Path:
        """A folder on the same disk that is gone when the stack is closed."""
        self.folder.mkdir(parents=True, exist_ok=True)
        private = Path(stack.enter_context(TemporaryDirectory(prefix=".tfrelock-", dir=self.folder)), "cache")
        private.mkdir()
        return private

    def take_over(self, private: Path) -> None:
        """Move in what was fetched, each package whole; what somebody else has put there meanwhile stays."""
        for package in private.glob("*/*/*/*/*"):
            place = self.folder / package.relative_to(private)
            place.parent.mkdir(parents=True, exist_ok=True)
            try:
                package.rename(place)
            except OSError:
                if not place.exists():
                    raise


def cache_of(environ: Mapping[str, str]) -> PluginCache | None:
    """The plugin cache that Terraform uses in this environment, if it is told to use one.

    Raises RelockError where its name means another folder in each directory.
    """
    given = environ.get("TF_PLUGIN_CACHE_DIR")
    if given is None:
        texts = (file.read_text("utf-8", "replace") for file in _configurations(environ) if file.is_file())
        named = next((found[1] for text in texts if (found := _DIRECTORY.search(text))), "")
        given = _VARIABLE.sub(lambda name: environ.get(name[1] or "HOME", ""), named)
    if given and not Path(given).is_absolute():
        raise RelockError("the plugin cache is another one in each directory", given, "name it from / on")
    return PluginCache(Path(given)) if given else None


def _configurations(environ: Mapping[str, str]) -> Sequence[Path]:
    """Where Terraform and OpenTofu read their own settings, the first first."""
    if own := environ.get("TF_CLI_CONFIG_FILE"):
        return [Path(own)]
    home = Path(environ.get("HOME", "/"))
    return [home / ".terraformrc", *sorted(home.glob(".terraform.d/*.tfrc")), home / ".tofurc"]


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
                self._now.append(self._fetching(task) if fetches else self._started(task))
                return True
        return False

    def _fetches(self, task: Task) -> bool:
        known = self._cache is not None and task.providers is not None and task.name not in self._fetched
        return known and self._missing(task)

    def _goes_alone(self, task: Task) -> bool:
        """It may write into the cache: its providers are not known, or could not be fetched."""
        return self._missing(task) and not self._fetches(task)

    def _missing(self, task: Task) -> bool:
        return self._cache is not None and self._cache.missing(task)

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
        one.stack.close()
        if one.private is None:
            said = ended.out + ended.err.encode() if ended else _TOO_LONG
            yield Ended(one.task, ended.code if ended else 1, said)
