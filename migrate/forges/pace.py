"""How fast a forge may be written to, and a host that keeps to it.

GitHub lets one client make about 80 requests that make content in a minute, and 500 in an hour ("Rate limits
for the REST API"); a little less is asked of it here. Elsewhere the same is no hardship.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable
from threading import Lock, local
from typing import Final, TypeVar

from msgspec import Struct

from migrate.forges.answer import LaterError
from migrate.forges.forge import Home, Host, Sleep
from migrate.model import Check, Proposal, ProposalState, RepoId, Unknown

A_MINUTE: Final = 75
AN_HOUR: Final = 480
R = TypeVar("R")


def pause_before(past: Iterable[float], now: float) -> float:
    """Seconds to wait before one more write, after those of `past` (seconds, in order).

    What a clock says that was ahead is taken for now: nothing waits longer than an hour.
    """
    times = [*(min(time, now) for time in past), now]
    waits = [0.0]
    for most, span in ((A_MINUTE, 60.0), (AN_HOUR, 3600.0)):
        if len(times) > most:
            waits.append(times[len(times) - most - 1] + span - now)
    return max(waits)


def minutes(count: int) -> int:
    """How long so many writes take at least, in whole minutes."""
    return max(0, (count - 1) // A_MINUTE, ((count - 1) // AN_HOUR) * 60)


class Pace:
    """How the wires of a host wait: as they are asked to, and before a write, so that all threads together
    keep to what is allowed. `clock` gives seconds; `past` is when earlier runs wrote.
    """

    def __init__(self, clock: Callable[[], float], sleep: Sleep, past: Iterable[float] = ()) -> None:
        self._clock = clock
        self._sleep = sleep
        self._times = deque(past, AN_HOUR)
        self._lock = Lock()
        self._made = local()

    def __call__(self, seconds: float) -> None:
        self._sleep(seconds)

    def write(self) -> None:
        """Wait until one more write is allowed, and count it."""
        with self._lock:
            pause = pause_before(self._times, self._clock())
            if pause > 0:
                self._sleep(pause)
            self._times.append(self._clock())
        self._made.count = self.made + 1

    @property
    def made(self) -> int:
        """How many writes this thread has made so far."""
        count = getattr(self._made, "count", 0)
        return count if isinstance(count, int) else 0


class Paced(Struct, frozen=True):
    """A `Forge`: a host whose wires keep to `pace`, and that is waited for up to `patience` seconds."""

    inner: Host
    pace: Pace
    patience: float = 0.0

    def home(self, repo: RepoId, /) -> Home | Unknown:
        return self.patiently(lambda: self.inner.home(repo))

    def find(self, repo: RepoId, branch: str, /) -> ProposalState | Unknown | None:
        return self.patiently(lambda: self.inner.find(repo, branch))

    def open(self, proposal: Proposal, /) -> ProposalState:
        return self.patiently(lambda: self.inner.open(proposal))

    def update(self, seen: ProposalState, proposal: Proposal, /) -> ProposalState:
        return self.patiently(lambda: self.inner.update(seen, proposal))

    def mark(self, repo: RepoId, commit: str, check: Check, /) -> Unknown | None:
        return self.patiently(lambda: self.inner.mark(repo, commit, check))

    def close(self) -> None:
        self.inner.close()

    def patiently(self, call: Callable[[], R]) -> R:
        """Call, and again after a wait that the forge asks for: every call of a host is safe to repeat."""
        waited = 0.0
        while True:
            try:
                return call()
            except LaterError as later:
                waited += later.seconds
                if waited > self.patience:
                    raise
                self.pace(later.seconds)
