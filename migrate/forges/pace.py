"""How fast a forge may be written to, and a host that keeps to it.

GitHub lets one client make about 80 requests that make content in a minute, and 500 in an hour ("Rate limits
for the REST API"); a little less is asked of it here. Elsewhere the same is no hardship.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from threading import Lock
from typing import Final, TypeVar

from msgspec import Struct

from migrate.forges.answer import LaterError
from migrate.forges.forge import Home, Host, Sleep
from migrate.model import Check, Proposal, ProposalState, RepoId, Unknown

A_MINUTE: Final = 75
AN_HOUR: Final = 480
R = TypeVar("R")


def pause_before(past: Iterable[float], count: int, now: float) -> float:
    """Seconds to wait before `count` more writes, after those of `past` (seconds, in order)."""
    times = [*past, *(now for _ in range(count))]
    waits = [0.0]
    for most, span in ((A_MINUTE, 60.0), (AN_HOUR, 3600.0)):
        if len(times) > most:
            waits.append(times[len(times) - most - 1] + span - now)
    return max(waits)


def minutes(count: int) -> int:
    """How long so many writes take at least, in whole minutes."""
    return max(0, (count - 1) // A_MINUTE, ((count - 1) // AN_HOUR) * 60)


@dataclass(slots=True)
class Pace:
    """The writes of all threads together. `clock` gives seconds; `past` is what earlier runs wrote."""

    clock: Callable[[], float]
    sleep: Sleep
    past: Iterable[float] = ()
    _times: deque[float] = field(init=False)
    _lock: Lock = field(init=False, default_factory=Lock)

    def __post_init__(self) -> None:
        self._times = deque(self.past, AN_HOUR)

    def write(self, count: int) -> None:
        """Wait until so many more writes are allowed, and count them."""
        with self._lock:
            pause = pause_before(self._times, count, self.clock())
            if pause > 0:
                self.sleep(pause)
            self._times.extend(self.clock() for _ in range(count))


class Paced(Struct, frozen=True):
    """A `Host` that is never written to faster than `pace`, and waited for up to `patience` seconds."""

    inner: Host
    pace: Pace
    patience: float = 0.0

    def home(self, repo: RepoId, /) -> Home | Unknown:
        return self._patiently(lambda: self.inner.home(repo))

    def find(self, repo: RepoId, branch: str, /) -> ProposalState | Unknown | None:
        return self._patiently(lambda: self.inner.find(repo, branch))

    def open(self, proposal: Proposal, /) -> ProposalState:
        self.pace.write(1 + bool(proposal.labels))
        return self._patiently(lambda: self.inner.open(proposal))

    def update(self, seen: ProposalState, proposal: Proposal, /) -> ProposalState:
        self.pace.write(_changes(seen, proposal))
        return self._patiently(lambda: self.inner.update(seen, proposal))

    def mark(self, repo: RepoId, commit: str, check: Check, /) -> Unknown | None:
        self.pace.write(1)
        return self._patiently(lambda: self.inner.mark(repo, commit, check))

    def close(self) -> None:
        self.inner.close()

    def _patiently(self, call: Callable[[], R]) -> R:
        """Every call of a host is safe to repeat."""
        waited = 0.0
        while True:
            try:
                return call()
            except LaterError as later:
                waited += later.seconds
                if waited > self.patience:
                    raise
                self.pace.sleep(later.seconds)


def _changes(seen: ProposalState, proposal: Proposal) -> int:
    """How many writes bring a proposal up to date."""
    text = (seen.title, seen.body.strip()) != (proposal.title, proposal.body.strip())
    return text + (not set(proposal.labels) <= set(seen.labels)) + (seen.draft != proposal.draft)
