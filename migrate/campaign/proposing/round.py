"""One repository's turn: its slices offered one by one, and what must no longer be merged paused."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import PurePosixPath
from typing import Final, TypeAlias

from msgspec import Struct, field

from migrate.campaign.offering.offers import Planned
from migrate.campaign.offering.slices import Slice, branch, branch_named, parted
from migrate.campaign.proposing.marks import TRAILER
from migrate.campaign.proposing.outcomes import Outcome, Withheld
from migrate.campaign.proposing.pausing import pause
from migrate.campaign.proposing.ports import Ports
from migrate.campaign.proposing.propose import Settings, marks, propose
from migrate.campaign.proposing.stored import as_stored
from migrate.campaign.proposing.turns import slice_named
from migrate.errors import RelockError
from migrate.forges import open_now
from migrate.model import RepoId, Unknown

_MOST: Final = 100
"""More branches than this no repository has of us; each costs a request."""

Plan: TypeAlias = Callable[[frozenset[RepoId]], Planned]
"""What is open, given the repositories whose dual lock has a proposal of its own."""


class Unsettled(Struct, frozen=True):
    """What was judged by and may be other than it was read, with why: repositories that are `loose` were not
    read as they are committed, those that are `unread` not, or not as they are today.
    """

    loose: Mapping[RepoId, Unknown] = field(default_factory=dict)
    unread: Mapping[RepoId, Unknown] = field(default_factory=dict)

    def of(self, slice_: Slice) -> Unknown | None:
        """Why a slice may be judged wrongly: for its own repository, or, where a gate is asked, for any. What
        was not read may hold a client: it holds back retire.
        """
        repo = slice_.offer.repo
        if repo in self.loose:
            return self.loose[repo]
        others = {**(self.unread if slice_.retires else {}), **(self.loose if slice_.gated else {})}
        if not others:
            return None
        other, why = min(others.items())
        return Unknown(f"{other}: {why.why}", why.settle)


_SETTLED: Final = Unsettled()


class Round(Struct, frozen=True):
    """What one run does in every repository: its plan, the operator's settings, whether it writes.

    `whole`: nothing was left out by name, so what is not planned is not open. `only`: of these repositories,
    the slices whose turn it is; None is everything.
    """

    plan: Plan
    settings: Settings
    write: bool
    whole: bool
    only: Mapping[RepoId, frozenset[str]] | None = None
    unsettled: Unsettled = _SETTLED

    def of(self, repo: RepoId, ports: Ports) -> Iterator[Outcome]:
        """Offer everything that is open in one repository; an error ends its turn and is the last outcome."""
        at, base, settings = "", ports.commits.base.name, self.settings.at(repo)
        if base.startswith((f"{self.settings.prefix}/", f"{self.settings.prefix}@")):
            yield Withheld(
                repo, base, "it is checked out, and itself a proposal", "check out what it is for, run again"
            )
            return
        try:
            there = _standing(ports, settings.prefix)
            planned = self._planned(repo, ports, there)
            offered = {branch(part, settings.prefix) for part in _parts(planned, repo)}
            left = [name for name in there if name not in offered]
            if self.whole:
                yield from self._paused(repo, left, planned.why_not, ports)
            for slice_ in self._now(planned, repo):
                at = slice_.name
                if slice_.draft and _holds(repo, left, slice_, ports):
                    continue
                if unknown := self.unsettled.of(slice_):
                    yield Withheld(repo, branch(slice_, settings.prefix), unknown.why, unknown.settle)
                else:
                    yield propose(slice_, ports, settings, write=self.write)
        except RelockError as error:
            yield Withheld(repo, branch_named(at, settings.prefix), error.what, error.try_this)

    def ending(self, repo: RepoId, ports: Ports, why: str) -> Iterator[Outcome]:
        """Pause everything that is open in a repository that wants nothing offered. Raises RelockError."""
        there = _standing(ports, self.settings.at(repo).prefix)
        yield from self._paused(repo, there, lambda *_: why, ports)

    def branches(self, repo: RepoId) -> tuple[str, ...]:
        """The branches that a turn makes, or brings up to date."""
        prefix = self.settings.at(repo).prefix
        return tuple(branch(part, prefix) for part in self._now(self.plan(frozenset()), repo))

    def _now(self, planned: Planned, repo: RepoId) -> Iterator[Slice]:
        for part in _parts(planned, repo):
            if self.only is None or part.name in self.only.get(repo, ()):
                yield part

    def _paused(
        self, repo: RepoId, branches: Iterable[str], why: Callable[[str, RepoId], str], ports: Ports
    ) -> Iterator[Outcome]:
        for name in branches:
            slice_ = slice_named(name, self.settings.at(repo).prefix)
            paused = pause(repo, name, why(slice_, repo), ports, write=self.write)
            yield from [paused] if paused else []

    def _planned(self, repo: RepoId, ports: Ports, there: Sequence[str]) -> Planned:
        """A dual lock that was offered by itself stays there: no edit stands in two proposals."""
        planned = self.plan(frozenset())
        prepared = (slice_ for slice_ in planned.of(repo) if slice_.name == "prepare")
        if not any(commit.phase == "dual-lock" for slice_ in prepared for commit in slice_.commits):
            return planned
        prefix = self.settings.at(repo).prefix
        own = [name for name in there if slice_named(name, prefix) == "dual-lock"]
        return self.plan(frozenset({repo})) if any(open_now(ports.forge, repo, b) for b in own) else planned


def _standing(ports: Ports, prefix: str) -> list[str]:
    """The branches there that are slices by their names: the forge is asked of each, so not of any number."""
    found = [name for name in ports.branches.beneath(prefix) if slice_named(name, prefix)]
    if len(found) > _MOST:
        why = f"{len(found)} branches there begin with {prefix}/"
        raise RelockError(why, "", "delete those that no proposal is made of, run again")
    return found


def _holds(repo: RepoId, branches: Iterable[str], slice_: Slice, ports: Ports) -> bool:
    """Whether an open proposal of one of `branches` has all that a draft would: that is the draft then, and
    no edit stands in two. Raises RelockError.
    """
    stored = as_stored(slice_, ports.commits.read(ports.commits.base.commit, slice_.paths))
    if isinstance(stored, PurePosixPath):
        return False
    wanted = set(marks(stored))
    for name in branches:
        tip = ports.branches.tip(name) if open_now(ports.forge, repo, name) else None
        if tip and wanted <= {commit.trailer(TRAILER) for commit in ports.commits.log(tip)}:
            return True
    return False


def _parts(planned: Planned, repo: RepoId) -> Iterator[Slice]:
    """The slices of a repository, large ones parted."""
    return (part for whole in planned.of(repo) for part in parted(whole))
