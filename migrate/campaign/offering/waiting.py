"""What its gates let pass and still waits: a retire that an open proposal of somebody's crosses."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from migrate.campaign.offering.offers import Planned
from migrate.campaign.offering.slices import Slice
from migrate.progress import Entry


def waiting(planned: Planned, entries: Iterable[Entry]) -> Planned:
    """The same without what a crossing of one of `entries` holds: what retires the state that it names,
    wherever that is written, or anything in its repository where it names none.
    """
    holding: dict[str, str] = {}
    for entry in entries:
        for one in entry.crossings:
            if one.holds:
                why = f"{one.url} is open: {one.why}. It is to be merged, brought up to date or closed first."
                holding.setdefault(one.state or entry.repo, why)
    waits = {slice_.offer.repo: why for slice_ in planned.slices if (why := _why(slice_, holding))}
    slices = tuple(one for one in planned.slices if not (one.retires and one.offer.repo in waits))
    return replace(planned, slices=slices, waits=waits)


def _why(slice_: Slice, holding: dict[str, str]) -> str:
    names = [slice_.offer.repo, *(moved.state for moved in slice_.offer.states)] if slice_.retires else []
    return next((holding[name] for name in names if name in holding), "")
