"""One step over all given repositories: its gates judged anew, its edits made as texts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from migrate.campaign.editing import policies
from migrate.campaign.editing.after import after, joined
from migrate.campaign.editing.edit import EditResult, Limits
from migrate.campaign.editing.targets import Target, targets, uses_no_table
from migrate.campaign.phases.edits import edits, refusing
from migrate.campaign.phases.gates import Verdicts, asked_of, kept, said, said_of_all
from migrate.campaign.pinning import pin
from migrate.campaign.reading.inventory import Inventory
from migrate.errors import RelockError
from migrate.estate.sharing import others_in_table
from migrate.model import Estate, LockWish, Refusal, Stack, StateId, Verdict
from migrate.report import Edited
from migrate.steps import BY_PHASE, Phase, Standing, Step, standing


class Order(Struct, frozen=True):
    """What was asked for: a phase, and how."""

    phase: Phase
    now: str
    limits: Limits
    include_unlocked: bool = False
    force: str | None = None


def run(order: Order, inventories: Sequence[Inventory], estate: Estate) -> Edited:
    """Carry out one step as texts. Nothing is written."""
    step, limits = BY_PHASE[order.phase], order.limits
    if step.phase == "pin":
        return _edited(order, inventories, pin.edit(inventories, estate, limits), [])
    if step.phase == "iam":
        return _edited(
            order, inventories, policies.edit(inventories, policies.lock_grant(estate), limits), []
        )
    if step.phase == "revoke":
        outcome = policies.edit(inventories, policies.table_revoke(estate), limits)
        return _edited(order, inventories, outcome, said_of_all(step.phase, estate, order.now))
    wish = _wish(step, order)
    selected = [target for target in targets(estate, wish) if limits.narrowing.selects(target.site)]
    verdicts = said(order.phase, asked_of(order.phase, selected, estate, limits.narrowing), estate, order.now)
    stay = _kept(order, selected, verdicts)
    outcome = edits(wish, inventories, estate, stay, limits)
    while beside := _beside_a_table(selected, stay, outcome, inventories, estate):
        stay |= beside
        outcome = edits(wish, inventories, estate, stay, limits)
    waits = step.phase == "retire" and order.force is None  # its gates speak for themselves
    if not waits:
        outcome = refusing(outcome, stay.values())
    held = sorted(stay.values(), key=lambda refusal: refusal.where) if waits else ()
    edited = _edited(order, inventories, outcome, [v for found in verdicts.values() for v in found])
    return replace(edited, held=tuple(held))


def _wish(step: Step, order: Order) -> LockWish:
    """What the step wants of sites. Raises RelockError for a step that changes no site."""
    if step.wish is None:
        raise RelockError(f"{step.phase} is no edit of source", "--phase", "tfrelock plan says what is")
    return LockWish.ADOPT if step.wish is LockWish.DUAL and order.include_unlocked else step.wish


def _kept(order: Order, selected: Sequence[Target], verdicts: Verdicts) -> dict[str, Refusal]:
    """The sites that stay: of retire those behind a gate, of the unlocked those that are not alone."""
    if order.phase == "retire":
        forced = order.force is not None
        return kept(selected, verdicts, lambda _: _OPEN, _NOT_FORCED if forced else _HELD, forced=forced)
    return {
        target.site.id: Refusal(target.site.place, _not_alone(target.stack), "tfrelock plan")
        for target in selected
        if target.wish is LockWish.ADOPT and not uses_no_table(target.stack)
    }


def _beside_a_table(
    selected: Iterable[Target],
    stay: Mapping[str, Refusal],
    outcome: EditResult,
    inventories: Sequence[Inventory],
    estate: Estate,
) -> dict[str, Refusal]:
    """The unlocked that would get a lockfile beside a client that may mean their state and keeps to a table
    alone; one that gets both locks in the same edit does not.
    """
    adopting = [one for one in selected if one.wish is LockWish.ADOPT and one.site.id not in stay]
    if not adopting:
        return {}
    texts = {(file.repo, file.path): file.after for file in outcome.files}
    then = joined(after(inventories, texts), estate)
    stacks = {stack.id: stack for stack in then.stacks}
    return {
        one.site.id: Refusal(one.site.place, _not_alone(one.stack), "tfrelock plan")
        for one in adopting
        if any(True for _ in others_in_table(stacks.get(one.stack.id, one.stack), then))
    }


def _not_alone(stack: Stack) -> str:
    return _BESIDE_TABLE if isinstance(stack.id, StateId) else _UNRESOLVED


_OPEN: Final = frozenset({Standing.OPEN})
_HELD: Final = "a gate of retire is not open"
_NOT_FORCED: Final = "not every writer of this state is known to hold both locks: that gate cannot be forced"
_BESIDE_TABLE: Final = "it takes no lock, and another client of this state names a table, or may"
_UNRESOLVED: Final = (
    "it takes no lock, and which state it writes is not known: nor is who locks that with a table"
)


def _edited(
    order: Order, inventories: Sequence[Inventory], outcome: EditResult, verdicts: Sequence[Verdict]
) -> Edited:
    return Edited(
        phase=order.phase,
        files=outcome.files,
        refusals=outcome.refusals,
        suggestions=outcome.suggestions,
        standing=standing(verdicts, forced=order.force is not None),
        verdicts=tuple(verdict for verdict in verdicts if verdict.worth_saying),
        forced=order.force,
        repositories=tuple(inventory.survey.repo for inventory in inventories),
    )
