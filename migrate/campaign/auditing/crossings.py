"""What open proposals of other people do to locks: each is a client with a lock of its own.

Its pipeline may run from its branch as it is, and whoever merges it brings its locks along. So it is held, as
`audit --base` holds a change, against what it is to be merged into as that stands today: one that is older
than a merged dual lock still locks with the table only, and as long as it does nothing is retired.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from migrate.campaign.auditing.guard import doubted
from migrate.campaign.reading.inventory import Inventory
from migrate.estate import join
from migrate.estate.changes import place_of, swapped, taken_up
from migrate.estate.effective import names_table
from migrate.estate.pairing import transitions
from migrate.model import Estate, Fact, Known, Lock, Transition, Unknown
from migrate.progress import Crossing

_HOLDING: Final = {Lock.TABLE: "locks with the table only", Lock.NONE: "takes no lock"}
_SWAPS: Final = "gives up one lock and takes the other in one step: no common lock with what still runs"
_RETIRES: Final = "gives up the table by itself: the gates of retire are not asked"


def crossings(url: str, before: Inventory, after: Inventory, now: str) -> Iterator[Crossing]:
    """Of a repository at the branch that a proposal is for, and at the proposal, which stands at `url`.

    A crossing without a state may be of any there. `now` is an ISO 8601 date.
    """
    base = join([before.survey])
    estate = join([doubted(after, base).survey])
    for change in transitions(base, estate, now):
        yield from _writers(url, change)
    yield from _readers(url, base, estate)
    known = {(one.where.path, one.why) for one in before.survey.closed}
    for one in after.survey.closed:
        if one.kind != "template" and (one.where.path, one.why) not in known:
            yield Crossing(url, "", f"{one.where} cannot be read there: {one.why}", holds=True)


def _writers(url: str, change: Transition) -> Iterator[Crossing]:
    """The worst that it does to the writers of a state."""
    if change.after is None:
        return
    state, taken = str(change.after.stack.id), taken_up(change)
    holding = next((lock for lock in taken if _holds(lock)), None)
    if holding is not None:
        yield Crossing(url, state, _said(change, holding), holds=True)
    elif Known(Lock.LOCKFILE) in taken and change.before is not None:
        place = place_of(change, change.after, Lock.LOCKFILE)
        yield Crossing(url, state, f"{place} {_SWAPS if swapped(change) else _RETIRES}", holds=False)


def _holds(lock: Fact[Lock]) -> bool:
    return isinstance(lock, Unknown) or lock.value in _HOLDING


def _said(change: Transition, lock: Fact[Lock]) -> str:
    assert change.after is not None  # noqa: S101  `_writers` looked
    if isinstance(lock, Unknown):
        place = next(one.place for one in change.after.stack.backends if one.lock == lock)
        return f"{place} may lock in any way: {lock.why}"
    swaps = f", and {_SWAPS}" if swapped(change) else ""
    return f"{place_of(change, change.after, lock.value)} {_HOLDING[lock.value]}{swaps}"


def _readers(url: str, before: Estate, after: Estate) -> Iterator[Crossing]:
    """Readers that name the table where none did: after retire they would fail on its stale checksums."""
    known = {site.id for stack in before.stacks for site in stack.readers if names_table(site)}
    for stack in after.stacks:
        found = [site for site in stack.readers if site.id not in known and names_table(site)]
        if found:
            yield Crossing(url, str(stack.id), f"{found[0].place} reads it and names the table", holds=True)
