"""Places that make a backend in a way that is not read: what to write there by hand, until somebody has."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from migrate.campaign.editing.texts import sources_of
from migrate.campaign.reading.inventory import Inventory
from migrate.campaign.reading.narrowing import Narrowing
from migrate.dialects import BY_NAME
from migrate.model import Estate, LockWish, Refusal
from migrate.wishes import TABLE

_ADDING: Final = (LockWish.DUAL, LockWish.ADOPT)


def by_hand(
    inventories: Iterable[Inventory], estate: Estate, wish: LockWish, narrowing: Narrowing
) -> Iterator[Refusal]:
    """A refusal for each place that names the table; none where its file names the lockfile already."""
    if wish not in (*_ADDING, LockWish.RETIRE):
        return
    places = [idle.site for idle in estate.idle if not idle.site.settings and idle.site.role == "generator"]
    done = {(site.repo, site.path) for site in places if _names(site.name) == "use_lockfile"}
    sources = sources_of(inventories)
    for site in places:
        concerned = _names(site.name) in TABLE and narrowing.selects(site)
        if concerned and not (wish in _ADDING and (site.repo, site.path) in done):
            answer = BY_NAME[site.dialect].edit(sources[site.repo], site, wish)
            if isinstance(answer, Refusal):
                yield answer


def programs(inventories: Iterable[Inventory], estate: Estate, narrowing: Narrowing) -> Iterator[Refusal]:
    """A refusal for each program that names a lock setting in no call that is read."""
    sources = sources_of(inventories)
    for site in (idle.site for idle in estate.idle if idle.site.role == "code"):
        answer = BY_NAME[site.dialect].edit(sources[site.repo], site, LockWish.DUAL)
        if isinstance(answer, Refusal) and narrowing.selects(site):
            yield answer


def _names(place: str) -> str:
    """The setting that a place was found by: `place.dynamodb_table#2`."""
    return place.rpartition(".")[2].partition("#")[0]
