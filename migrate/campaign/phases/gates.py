"""What the gates of a phase say of states, and which sites stay as they are because of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Final, TypeAlias

from migrate.campaign.editing.targets import Target
from migrate.campaign.reading.narrowing import Narrowing
from migrate.model import Estate, Outcome, Refusal, RepoId, Unknown, Verdict, World
from migrate.steps import BY_PHASE, Phase, Standing, judge, standing

Verdicts: TypeAlias = Mapping[str, tuple[Verdict, ...]]
"""By the id of the state."""
Wanted: TypeAlias = Callable[[RepoId], AbstractSet[Standing]]
"""Where the states must stand whose sites are edited in a repository."""


def asked_of(phase: Phase, chosen: Iterable[Target], estate: Estate, narrowing: Narrowing) -> set[str]:
    """The states whose gates are asked: those of the targets, and of retire also each of which nobody knows
    what a writer locks with. That there is no table to give up is not known there.
    """
    states = {str(target.stack.id) for target in chosen}
    if phase == "retire":
        unknown = [backend for backend in estate.backends if isinstance(backend.lock, Unknown)]
        states |= {str(backend.state) for backend in unknown if narrowing.selects(backend.inputs[0])}
    return states


def said(phase: Phase, states: AbstractSet[str], judged: Estate, now: str) -> Verdicts:
    """What the gates say of each state. `now` is an ISO 8601 date."""
    step = BY_PHASE[phase]
    named = {str(stack.id): stack for stack in judged.stacks}
    return {state: judge(step, World(named[state], judged, now)) for state in sorted(states)}


def said_of_all(phase: Phase, judged: Estate, now: str) -> list[Verdict]:
    """What the gates say of every state; where there is none, nobody knows whose table it is."""
    every = said(phase, {str(stack.id) for stack in judged.stacks}, judged, now)
    nobody, settle = "no state here says whose table it is", "give the repositories that locked in it"
    return [one for found in every.values() for one in found] or [
        Verdict(gate.name, "the lock table", Outcome.UNKNOWN, nobody, settle)
        for gate in BY_PHASE[phase].gates
    ]


def kept(
    chosen: Sequence[Target], verdicts: Verdicts, wanted: Wanted, why: str, *, forced: bool
) -> dict[str, Refusal]:
    """A refusal, by the id of the site, for each that is not edited: its states do not stand as `wanted`.

    Of several states that a site serves the worst counts. `forced`: only gates that cannot be forced count.
    """
    worst: dict[str, Standing] = {}
    for target in chosen:
        here = standing(verdicts[str(target.stack.id)], forced=forced)
        worst[target.site.id] = max(worst.get(target.site.id, here), here, key=_WEIGHT.index)
    return {
        target.site.id: Refusal(target.site.place, why, "tfrelock plan")
        for target in chosen
        if worst[target.site.id] not in wanted(target.site.repo)
    }


_WEIGHT: Final = (Standing.DONE, Standing.OPEN, Standing.REFUSED, Standing.UNKNOWN, Standing.CLOSED)
