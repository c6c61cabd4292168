"""Files that may name a lock and cannot be read as what they are: they are not edited, and that is said."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from migrate.campaign.reading.inventory import Inventory
from migrate.campaign.reading.narrowing import Narrowing
from migrate.model import Refusal


def unread(inventories: Iterable[Inventory], narrowing: Narrowing) -> Iterator[Refusal]:
    """A refusal for each problem of such a file: no HCL, or a template of it."""
    for inventory in inventories:
        for problem in inventory.survey.closed:
            where = problem.where
            if problem.kind != "unreadable" and narrowing.takes(where.repo, where.path):
                yield Refusal(where, problem.why, problem.remedy)
