"""The edits of one wish over all given repositories, with a refusal for each place that is edited by hand."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from msgspec.structs import replace

from migrate.campaign.editing.by_hand import by_hand, unread
from migrate.campaign.editing.edit import EditResult, Limits, edit
from migrate.campaign.editing.inits import with_inits
from migrate.campaign.editing.targets import targets
from migrate.campaign.reading.inventory import Inventory
from migrate.model import Estate, LockWish, Refusal


def edits(
    wish: LockWish,
    inventories: Sequence[Inventory],
    estate: Estate,
    stay: Mapping[str, Refusal],
    limits: Limits,
) -> EditResult:
    """Edit every site that the wish concerns but those that `stay`, by id, and the inits of what changes."""
    outcome = edit(inventories, estate, targets(estate, wish), stay, limits)
    outcome = with_inits(outcome, wish, inventories, estate, limits)
    unseen = unread(inventories, limits.narrowing)
    return refusing(outcome, (*unseen, *by_hand(inventories, estate, wish, limits.narrowing)))


def refusing(outcome: EditResult, more: Iterable[Refusal]) -> EditResult:
    """The outcome with more refusals among its own, by their places."""
    told = sorted((*outcome.refusals, *more), key=lambda refusal: refusal.where)
    return replace(outcome, refusals=tuple(told))
