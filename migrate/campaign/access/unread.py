"""Policies that cannot be read: what they grant is not known, and is never taken for nothing."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final

from migrate.campaign.reading.inventory import Inventory
from migrate.campaign.reading.narrowing import Narrowing
from migrate.model import Place, Problem, Refusal

_POLICY: Final = re.compile(r'(?i)statement"?\s*[=:{]')
_OF_LOCKS: Final = re.compile(r'(?i)\bs3:|\bdynamodb:|"\*"')


def unread_policies(inventories: Iterable[Inventory], narrowing: Narrowing) -> Iterator[Refusal]:
    """The first reason at each place whose text may be a policy for buckets or lock tables."""
    told: set[Place] = set()
    for inventory in inventories:
        for problem in inventory.survey.problems:
            where = problem.where
            if (
                where not in told
                and narrowing.takes(where.repo, where.path)
                and _of_policy(inventory, problem)
            ):
                told.add(where)
                yield Refusal(where, problem.why, problem.remedy)


def _of_policy(inventory: Inventory, problem: Problem) -> bool:
    text = inventory.sources[problem.where.path].text
    unread = problem.kind in ("unparsable", "template")
    return unread and bool(_POLICY.search(text)) and bool(_OF_LOCKS.search(text))
