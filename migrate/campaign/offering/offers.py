"""What is open now, as proposals: each repository's *prepare* and *finish*, or one for each phase.

*Prepare* holds the floor, the readers and the dual lock, each edited on what the one before leaves; *finish*
holds retire. Grants are a proposal of their own: they must be applied, not merged, before the dual lock is. A
dual lock that is not known to be safe is a draft of its own.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Final

from msgspec import Struct, field
from msgspec.structs import replace

from migrate.campaign.offering.slices import Slice
from migrate.campaign.offering.slicing import How, Slicing, Style, repos
from migrate.campaign.phases.stage import Asked, Held, Stage, gated, grants, pins
from migrate.model import Outcome, RepoId
from migrate.progress import Entry
from migrate.steps import Phase, Standing

OFFERED: Final[Sequence[Phase]] = ("iam", "assume-role", "pin", "readers", "dual-lock", "retire")
_HELD: Final[Mapping[str, Sequence[Phase]]] = {
    "prepare": ("assume-role", "pin", "readers", "dual-lock"),
    "finish": ("retire",),
}
"""The phases of the slices that are not called by their only one."""
_NONE: Final = frozenset[Standing]()
_OPEN: Final = frozenset({Standing.OPEN})
_UNKNOWN: Final = frozenset({Standing.UNKNOWN})


class Planned(Struct, frozen=True):
    """The proposals to make, and the stages they come from (what these refuse, what their gates say)."""

    slices: tuple[Slice, ...]
    stages: tuple[Stage, ...]
    waits: Mapping[RepoId, str] = field(default_factory=dict)
    """Why the retire of a repository waits although its gates are open."""

    def of(self, repo: RepoId) -> tuple[Slice, ...]:
        return tuple(slice_ for slice_ in self.slices if slice_.offer.repo == repo)

    def concerns(self, repo: RepoId) -> bool:
        """Whether there is anything left to do in a repository, open or not."""
        return any(target.site.repo == repo for stage in self.stages for target in stage.chosen)

    def why_not(self, name: str, repo: RepoId) -> str:
        """Why a slice is not open in a repository: what the first gate says that does not hold."""
        phases = _HELD.get(name, (name,))
        if "retire" in phases and repo in self.waits:
            return self.waits[repo]
        for stage in (stage for stage in self.stages if stage.phase in phases):
            for target in (target for target in stage.chosen if target.site.repo == repo):
                for verdict in stage.verdicts.get(str(target.stack.id), ()):
                    if verdict.outcome is not Outcome.HOLDS:
                        return f"A gate has closed since this was offered: {verdict.because}."
        return "Nothing that this changes is left to change, or it is offered elsewhere now."


def plan(held: Held, asked: Asked, phases: Sequence[Phase], style: Style, how: How) -> Planned:
    """Everything that is open now among `phases`."""
    granted = [grants(held, asked)] if "iam" in phases else []
    prepared = list(_prepared(held, asked, phases, how))
    ready, draft = _own(held, asked, phases, how) if "dual-lock" in phases else ([], [])
    finish = [gated("retire", held, held.estate, asked, lambda _: _OPEN)] if "retire" in phases else []
    page = Slicing(held.estate, asked, style)
    slices = [
        *page.slices([granted], "iam", how),
        *page.slices([[stage] for stage in prepared] if how.split else [prepared], "prepare", how),
        *page.slices([ready], "dual-lock", how),
        *page.drafts(draft),
        *page.slices([finish], "finish", how),
    ]
    stages = (*granted, *prepared, *ready, *draft, *finish)
    return Planned(tuple(sorted(slices, key=lambda slice_: slice_.offer.repo)), stages)


def _prepared(held: Held, asked: Asked, phases: Sequence[Phase], how: How) -> Iterator[Stage]:
    """The stages of *prepare*, each on what the one before leaves; apart, each on what there is."""
    at = held
    if "assume-role" in phases:
        yield (stage := gated("assume-role", at, at.estate, asked, lambda _: _OPEN))
        at = at.after(stage.outcome.files)
    if "pin" in phases:
        yield (stage := pins(at, asked))
        at = held if how.split else at.after(stage.outcome.files)
    if "readers" in phases:
        yield (stage := gated("readers", at, at.estate, asked, lambda _: _OPEN))
        at = at.after(stage.outcome.files)
    if "dual-lock" in phases and not how.split:
        yield gated("dual-lock", at, at.estate, asked, lambda repo: _NONE if repo in how.alone else _OPEN)


def _own(held: Held, asked: Asked, phases: Sequence[Phase], how: How) -> tuple[list[Stage], list[Stage]]:
    """The dual lock in a proposal of its own: ready where it may be merged before any other, else a draft.

    A draft is what nobody knows to be safe once the floors are raised, and what was offered so before.
    What is open goes first: a repository has one of the two.
    """
    ready = gated(
        "dual-lock",
        held,
        held.estate,
        asked,
        lambda repo: _OPEN if how.split or repo in how.alone else _NONE,
    )
    open_ = set(repos([ready]))

    def wanted(repo: RepoId) -> AbstractSet[Standing]:
        if repo in open_:
            return _NONE
        return _OPEN | _UNKNOWN if repo in how.alone else _UNKNOWN

    pinned = held
    if "assume-role" in phases:
        pinned = pinned.after(gated("assume-role", held, held.estate, asked, lambda _: _OPEN).outcome.files)
    if "pin" in phases:
        pinned = pinned.after(pins(pinned, asked).outcome.files)
    return [ready], [gated("dual-lock", held, pinned.estate, asked, wanted)]


def waiting(planned: Planned, entries: Iterable[Entry]) -> Planned:
    """The same without what a crossing of one of `entries` holds: what retires the state that it names,
    wherever that is written, or anything in its repository where it names none.
    """
    holding: dict[str, str] = {}
    for entry in entries:
        for one in entry.crossings:
            if one.holds:
                why = f"{one.url} is open: {one.why}. It is to be merged, brought up to date or closed first."
                holding.setdefault(one.state or entry.repo, why)
    waits = {slice_.offer.repo: why for slice_ in planned.slices if (why := _why(slice_, holding))}
    slices = tuple(one for one in planned.slices if not (one.retires and one.offer.repo in waits))
    return replace(planned, slices=slices, waits=waits)


def _why(slice_: Slice, holding: dict[str, str]) -> str:
    names = [slice_.offer.repo, *(moved.state for moved in slice_.offer.states)] if slice_.retires else []
    return next((holding[name] for name in names if name in holding), "")
