"""What names a lock, or may, in a way that is not read: a refusal that says what to write there by hand."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from migrate.campaign.editing.texts import sources_of
from migrate.campaign.reading.inventory import Inventory
from migrate.campaign.reading.narrowing import Narrowing
from migrate.dialects import BY_NAME
from migrate.estate.runs import strays
from migrate.model import Estate, LockWish, Refusal, Site
from migrate.wishes import TABLE

_ADDING: Final = (LockWish.DUAL, LockWish.ADOPT)


def by_hand(
    inventories: Iterable[Inventory], estate: Estate, wish: LockWish, narrowing: Narrowing
) -> Iterator[Refusal]:
    """A refusal for each place that names the table; none where its file names the lockfile already. Where
    roles are to be moved, one for each flag of a root that is not known.
    """
    sites: Iterable[Site] = ()
    if wish is LockWish.ASSUME:
        sites = strays(estate)
    elif wish in (*_ADDING, LockWish.RETIRE):
        sites = _places(estate, adding=wish in _ADDING)
    yield from _refused(inventories, sites, wish, narrowing)


def unread(inventories: Iterable[Inventory], narrowing: Narrowing) -> Iterator[Refusal]:
    """A refusal for each file that may name a lock and cannot be read: no HCL, or a template of it."""
    for inventory in inventories:
        for problem in inventory.survey.closed:
            where = problem.where
            if problem.kind != "unreadable" and narrowing.takes(where.repo, where.path):
                yield Refusal(where, problem.why, problem.remedy)


def programs(inventories: Iterable[Inventory], estate: Estate, narrowing: Narrowing) -> Iterator[Refusal]:
    """A refusal for each program that names a lock setting in no call that is read."""
    sites = (idle.site for idle in estate.unread if idle.site.role == "code")
    yield from _refused(inventories, sites, LockWish.DUAL, narrowing)


def _places(estate: Estate, *, adding: bool) -> Iterator[Site]:
    places = [idle.site for idle in estate.unread if idle.site.role == "generator"]
    done = {(site.repo, site.path) for site in places if adding and _names(site.name) == "use_lockfile"}
    for site in places:
        if _names(site.name) in TABLE and (site.repo, site.path) not in done:
            yield site


def _refused(
    inventories: Iterable[Inventory], sites: Iterable[Site], wish: LockWish, narrowing: Narrowing
) -> Iterator[Refusal]:
    sources = sources_of(inventories)
    for site in filter(narrowing.selects, sites):
        answer = BY_NAME[site.dialect].edit(sources[site.repo], site, wish)
        if isinstance(answer, Refusal):
            yield answer


def _names(place: str) -> str:
    """The setting that a place was found by: `place.dynamodb_table#2`."""
    return place.rpartition(".")[2].partition("#")[0]
