"""What repositories hold once some of their texts are others: found anew in these, as it was elsewhere."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import PurePosixPath
from typing import TypeVar

from msgspec.structs import replace

from migrate.campaign.editing.texts import Texts
from migrate.campaign.reading.copies import tied
from migrate.campaign.reading.inventory import Inventory
from migrate.campaign.reading.maps import without_unread
from migrate.dialects import BY_NAME
from migrate.estate import join
from migrate.model import Estate, Site, Source
from migrate.pins import PINS
from migrate.pipelines import PIPELINES, distinct
from migrate.plug import Finder, items

F = TypeVar("F")


def after(inventories: Sequence[Inventory], texts: Texts) -> list[Inventory]:
    """The inventories with the new texts in place."""
    return [_after(inventory, texts) for inventory in inventories]


def joined(inventories: Iterable[Inventory], estate: Estate) -> Estate:
    """Inventories as one estate, in which is stated, seen and shown of roles what is in `estate`."""
    surveys = [inventory.survey for inventory in inventories]
    return replace(join(surveys, estate.stated, estate.seen, estate.floors), shown=estate.shown)


def _after(inventory: Inventory, texts: Texts) -> Inventory:
    survey = inventory.survey
    changed = {path: Source(repo, path, text) for (repo, path), text in texts.items() if repo == survey.repo}
    sites = [site for site in survey.sites if site.path not in changed]
    pins = [pin for pin in survey.pins if pin.path not in changed]
    runs = [run for run in survey.runs if run.path not in changed]
    new = replace(
        survey,
        sites=tuple(tied(without_unread((*sites, *_sites(survey.sites, changed)), survey.layers))),
        pins=(*pins, *_found(PINS, changed)),
        runs=(*runs, *distinct(_found(PIPELINES, changed))),
    )
    return replace(inventory, survey=new, sources={**inventory.sources, **changed})


def _sites(before: Sequence[Site], changed: Mapping[PurePosixPath, Source]) -> Iterator[Site]:
    """By the dialects that found something there: a partial file is one because a command names it."""
    for path, dialect in sorted({(site.path, site.dialect) for site in before if site.path in changed}):
        yield from BY_NAME[dialect].find(changed[path]).items


def _found(plugs: Iterable[Finder[F]], changed: Mapping[PurePosixPath, Source]) -> Iterator[F]:
    for _, source in sorted(changed.items()):
        yield from items(plugs, source)
