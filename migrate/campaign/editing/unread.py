"""Files that may name a lock and cannot be read as what they are: they are not edited, and that is said."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from migrate.campaign.reading.inventory import Inventory
from migrate.campaign.reading.narrowing import Narrowing
from migrate.mentions import TOKENS
from migrate.model import Refusal


def unread(inventories: Iterable[Inventory], narrowing: Narrowing) -> Iterator[Refusal]:
    """A refusal for each problem of such a file: no HCL, or a template of it."""
    for inventory in inventories:
        for problem in dict.fromkeys(inventory.survey.problems):
            where = problem.where
            if problem.kind not in ("unparsable", "template") or not narrowing.takes(where.repo, where.path):
                continue
            if any(word in inventory.sources[where.path].text for word in (*TOKENS, "backend")):
                yield Refusal(where, problem.why, problem.remedy)
