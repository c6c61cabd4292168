"""One repository's turn: its slices offered one by one, and what must no longer be merged paused."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Final, TypeAlias

from msgspec import Struct, field

from migrate.campaign.offering.offers import Planned
from migrate.campaign.offering.slices import Slice, branch, branch_named, parted
from migrate.campaign.proposing.outcomes import Outcome, Withheld
from migrate.campaign.proposing.ports import Ports
from migrate.campaign.proposing.propose import Settings, pause, propose
from migrate.errors import RelockError
from migrate.forges import open_now
from migrate.model import RepoId, Unknown
from migrate.steps import Phase

_PAUSED: Final[dict[str, Phase]] = {"dual-lock": "dual-lock", "finish": "retire"}
"""The slices that are dangerous to merge once a gate has closed, and whose gate that is."""

Plan: TypeAlias = Callable[[frozenset[RepoId]], Planned]
"""What is open, given the repositories whose dual lock has a proposal of its own."""


class Round(Struct, frozen=True):
    """`whole`: nothing was left out by name, so what is not planned is not open. `only`: of these
    repositories, the slices whose turn it is; None is everything. `loose`: which repositories were not read
    as they are committed, and why that is.
    """

    plan: Plan
    settings: Settings
    write: bool
    whole: bool
    only: Mapping[RepoId, frozenset[str]] | None = None
    loose: Mapping[RepoId, Unknown] = field(default_factory=dict)

    def of(self, repo: RepoId, ports: Ports) -> Iterator[Outcome]:
        """Offer everything that is open in one repository; an error ends its turn and is the last outcome."""
        at, base, settings = "", ports.commits.base.name, self.settings.at(repo)
        if base.startswith((f"{self.settings.prefix}/", f"{self.settings.prefix}@")):
            yield Withheld(
                repo, base, "it is checked out, and itself a proposal", "check out what it is for, run again"
            )
            return
        try:
            planned = self._planned(repo, ports)
            for slice_ in (part for whole in self._now(planned, repo) for part in parted(whole)):
                at = slice_.name
                if at_odds := unsettled(slice_, self.loose):
                    yield Withheld(repo, branch(slice_, settings.prefix), at_odds.why, at_odds.settle)
                else:
                    yield propose(slice_, ports, settings, write=self.write)
            for at, phase in [] if self.loose else self._closed(planned, repo):
                name, why = branch_named(at, settings.prefix), planned.why_not(phase, repo)
                if paused := pause(repo, name, why, ports, write=self.write):
                    yield paused
        except RelockError as error:
            yield Withheld(repo, branch_named(at, settings.prefix), error.what, error.try_this)

    def branches(self, repo: RepoId) -> tuple[str, ...]:
        """The branches that a turn may change."""
        planned, prefix = self.plan(frozenset()), self.settings.at(repo).prefix
        names = [branch(part, prefix) for whole in self._now(planned, repo) for part in parted(whole)]
        return tuple(dict.fromkeys([*names, *(branch_named(name, prefix) for name in _PAUSED)]))

    def _now(self, planned: Planned, repo: RepoId) -> Iterator[Slice]:
        for slice_ in planned.of(repo):
            if self.only is None or slice_.name in self.only.get(repo, ()):
                yield slice_

    def _planned(self, repo: RepoId, ports: Ports) -> Planned:
        """A dual lock that was offered by itself stays there: no edit stands in two proposals."""
        planned = self.plan(frozenset())
        if not any(slice_.name == "prepare" and _locks(slice_) for slice_ in planned.of(repo)):
            return planned
        own = open_now(ports.forge, repo, branch_named("dual-lock", self.settings.at(repo).prefix))
        return self.plan(frozenset({repo})) if own else planned

    def _closed(self, planned: Planned, repo: RepoId) -> Iterator[tuple[str, Phase]]:
        """The slices that are not open, or not any more, each with the phase whose gates say so."""
        offered = {slice_.name for slice_ in planned.of(repo)}
        for name, phase in _PAUSED.items():
            if self.whole and name not in offered:
                yield name, phase


def unsettled(slice_: Slice, loose: Mapping[RepoId, Unknown]) -> Unknown | None:
    """Why a slice was not judged on what is committed: of its own repository, or, where a gate is asked, of
    any.
    """
    repo = slice_.offer.repo
    if repo in loose or not (loose and slice_.gated):
        return loose.get(repo)
    other, why = min(loose.items())
    return Unknown(f"{other}: {why.why}", why.settle)


def _locks(slice_: Slice) -> bool:
    return any(commit.phase == "dual-lock" for commit in slice_.commits)
