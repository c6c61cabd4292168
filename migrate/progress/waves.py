"""Which repositories are next: a few canaries first, then waves.

Until three repositories have merged a slice of one name, at most five of it stand open: what goes wrong in a
kind of change goes wrong where few have it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from msgspec import Struct

from migrate.model import RepoId
from migrate.progress.replay import Entry, Progress

CANARY: Final = 5
PROVEN: Final = 3
SLICES: Final = ("iam", "prepare", "assume-role", "pin", "readers", "dual-lock", "finish", "retire")
"""The names of all slices, in the order in which they are offered."""


class Candidate(Struct, frozen=True):
    """A slice that could be offered now; `size` is how many files it changes."""

    repo: RepoId
    slice: str
    size: int


class Wave(Struct, frozen=True):
    """What is offered next, and what still waits for canaries, by slice."""

    number: int
    chosen: tuple[Candidate, ...]
    waiting: dict[str, int]
    resumed: bool = False
    """It was chosen before, by a run that did not end."""


def next_wave(progress: Progress, candidates: Iterable[Candidate], limit: int) -> Wave:
    """The slices of the wave that comes next, at most `limit`; one that was begun is ended first.

    The smallest go first: they are the easiest to review and to undo. What could not be offered goes last.
    """
    at_hand = sorted(candidates, key=lambda one: _order(progress, one))
    due = [one for one in at_hand if one.slice in _of(progress, one).due]
    if due:
        return Wave(progress.wave, tuple(due), {}, resumed=True)
    fresh = [one for one in at_hand if not _settled(_of(progress, one), one.slice)]
    room = {name: _room(progress, name) for name in {one.slice for one in fresh}}
    chosen = list(_within(fresh, room, limit))
    waiting = Counter(one.slice for one in fresh if one not in chosen)
    held = {name: count for name, count in waiting.items() if _room(progress, name) is not None}
    return Wave(progress.wave + 1, tuple(chosen), held)


def _order(progress: Progress, one: Candidate) -> tuple[bool, int, int, str]:
    failed = any(offer.why for offer in _of(progress, one).offers.values() if offer.slice == one.slice)
    return (failed, SLICES.index(one.slice), one.size, one.repo)


def _of(progress: Progress, one: Candidate) -> Entry:
    return progress.entries.get(one.repo, Entry(one.repo))


def _settled(entry: Entry, name: str) -> bool:
    """Whether the slice was offered already: it is open, or the owner said no."""
    return any(
        offer.slice == name and offer.standing in ("open", "closed") for offer in entry.offers.values()
    )


def _room(progress: Progress, name: str) -> int | None:
    """How many more of a slice may be opened; None: as many as one likes."""
    standing: Counter[str] = Counter()
    for entry in progress.active:
        found = {offer.standing for offer in entry.offers.values() if offer.slice == name}
        standing.update(found)
    return None if standing["merged"] >= PROVEN else max(0, CANARY - standing["open"])


def _within(fresh: Sequence[Candidate], room: dict[str, int | None], limit: int) -> Iterator[Candidate]:
    left = dict(room)
    taken = 0
    for one in fresh:
        more = left[one.slice]
        if taken < limit and (more is None or more > 0):
            left[one.slice] = None if more is None else more - 1
            taken += 1
            yield one
