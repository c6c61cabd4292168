"""One step over all given repositories: its gates judged anew, its edits made as texts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import PurePosixPath
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from migrate.campaign import iam, pin
from migrate.campaign.edit import Limits, Outcome, edit
from migrate.campaign.inits import with_inits
from migrate.campaign.inventory import Inventory
from migrate.campaign.narrowing import Narrowing
from migrate.campaign.targets import Target, targets, uses_no_table
from migrate.errors import RelockError
from migrate.mentions import TOKENS
from migrate.model import Estate, LockWish, Refusal, RepoId, StateId, Verdict, World
from migrate.report import Edited
from migrate.steps import BY_PHASE, Phase, Standing, Step, judge, standing

Ignored = Mapping[RepoId, frozenset[PurePosixPath]]


class Order(Struct, frozen=True):
    """What was asked for: a phase, and how."""

    phase: Phase
    now: str
    narrowing: Narrowing
    include_unlocked: bool = False
    force: str | None = None


def run(order: Order, inventories: Sequence[Inventory], estate: Estate, ignored: Ignored) -> Edited:
    """Carry out one step as texts. Nothing is written."""
    step = BY_PHASE[order.phase]
    if step.phase == "pin":
        return _edited(order, pin.edit(inventories, estate, order.narrowing), [])
    if step.phase == "iam":
        return _edited(order, iam.edit(inventories, estate, order.narrowing), [])
    chosen = list(targets(estate, _wish(step, order)))
    judged = _judged(step, estate, chosen, order)
    limits = Limits(order.narrowing, ignored)
    kept = _kept(chosen, judged, order)
    outcome = with_inits(edit(inventories, estate, chosen, kept, limits), step, inventories, estate, limits)
    said = [*outcome.refusals, *_unread(inventories, order.narrowing)]
    if step.phase != "retire" or order.force is not None:  # its gates speak for themselves
        said += kept.values()
    outcome = replace(outcome, refusals=tuple(sorted(said, key=lambda refusal: refusal.where)))
    return _edited(order, outcome, [v for verdicts in judged.values() for v in verdicts])


def _unread(inventories: Iterable[Inventory], narrowing: Narrowing) -> Iterator[Refusal]:
    """A file that may name a lock and cannot be read as what it is has not been edited: that is said."""
    for inventory in inventories:
        for problem in dict.fromkeys(inventory.survey.problems):
            where = problem.where
            if problem.kind not in ("unparsable", "template") or not narrowing.takes(where.repo, where.path):
                continue
            if any(word in inventory.sources[where.path].text for word in (*TOKENS, "backend")):
                yield Refusal(where, problem.why, problem.remedy)


def _wish(step: Step, order: Order) -> LockWish:
    """What the step wants of sites. Raises RelockError for a step that changes no site."""
    if step.wish is None:
        raise RelockError(f"{step.phase} is no edit of source", "--phase", "tfrelock plan says what is")
    return LockWish.ADOPT if step.wish is LockWish.DUAL and order.include_unlocked else step.wish


def _judged(
    step: Step, estate: Estate, chosen: Iterable[Target], order: Order
) -> dict[str, tuple[Verdict, ...]]:
    """What the gates say of each state with a selected site."""
    stacks = {str(t.stack.id): t.stack for t in chosen if order.narrowing.selects(t.site)}
    return {name: judge(step, World(stack, estate, order.now)) for name, stack in stacks.items()}


def _kept(
    chosen: Iterable[Target], judged: Mapping[str, tuple[Verdict, ...]], order: Order
) -> dict[str, Refusal]:
    """The sites that stay: of retire those behind a gate, of the unlocked those that are not alone."""
    kept, forced = {}, order.force is not None
    for target in chosen:
        site, stack = target.site, target.stack
        if not order.narrowing.selects(site):
            continue  # left out without a word
        gates = judged[str(stack.id)]
        if target.wish is LockWish.RETIRE and standing(gates, forced=forced) is not Standing.OPEN:
            why = _NOT_FORCED if forced else _HELD
            kept[site.id] = Refusal(site.place, why, "tfrelock plan")
        if target.wish is LockWish.ADOPT and not uses_no_table(stack):
            why = _BESIDE_TABLE if isinstance(stack.id, StateId) else _UNRESOLVED
            kept[site.id] = Refusal(site.place, why, "tfrelock plan")
    return kept


_HELD: Final = "a gate of retire is not open"
_NOT_FORCED: Final = "not every writer of this state is known to hold both locks: that gate cannot be forced"
_BESIDE_TABLE: Final = "it takes no lock, and another client of this state names a table, or may"
_UNRESOLVED: Final = (
    "it takes no lock, and which state it writes is not known: nor is who locks that with a table"
)


def _edited(order: Order, outcome: Outcome, verdicts: Sequence[Verdict]) -> Edited:
    return Edited(
        phase=order.phase,
        files=outcome.files,
        refusals=outcome.refusals,
        suggestions=outcome.suggestions,
        standing=standing(verdicts, forced=order.force is not None),
        verdicts=tuple(verdict for verdict in verdicts if verdict.worth_saying),
        forced=order.force,
    )
