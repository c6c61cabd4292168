"""All repositories of a campaign brought up to date and read: what stands where, and what is open now."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from migrate.campaign.auditing.audit import audit
from migrate.campaign.auditing.plan import plan
from migrate.campaign.offering.offers import OFFERED, waiting
from migrate.campaign.phases.stage import Asked
from migrate.campaign.proposing.propose import Settings
from migrate.campaign.proposing.round import Plan, Unsettled
from migrate.campaign.proposing.turns import stands
from migrate.campaign.reading.inventory import Inventory
from migrate.cli.campaign.book import Book
from migrate.cli.campaign.clones import fetched
from migrate.cli.campaign.crossed import crossed
from migrate.cli.checkouts import commit_of
from migrate.cli.committed import loose, stale
from migrate.cli.exits import Exit
from migrate.cli.gather import Gathered, gather_with_callers, today
from migrate.cli.jobs import side_by_side
from migrate.cli.limits import limits
from migrate.cli.offering import planner, settings, unwanted
from migrate.cli.options import Scope
from migrate.cli.reach import Reach
from migrate.cli.voice import Progress, followed, wrong
from migrate.files import Discovered, Repository, printable
from migrate.model import Known, RepoId, Unknown
from migrate.progress import Crossing, Entry, Event, State, events


class Surveyed(Struct, frozen=True):
    """What was read of `asked`. `troubles`: why a repository was not, or not as it is today. `folders`: those
    that are checkouts of somebody's; of the others we have just made clones.
    """

    asked: Scope
    gathered: Gathered
    planned: Plan
    settings: Settings
    troubles: Mapping[RepoId, str]
    folders: frozenset[RepoId]

    @property
    def exits(self) -> tuple[Exit, ...]:
        return (*self.gathered.exits, *([Exit.PARTIAL] if self.troubles else []))

    def unsettled(self, reached: Reach, jobs: int) -> Unsettled:
        """What is not as it is committed, or as its host has it, and what was not read."""
        planned = self.planned(frozenset())
        stray = loose(self.gathered, planned, self.asked, jobs)
        if any(slice_.gated for slice_ in planned.slices):
            stray = {**stale(self._among(self.folders), reached, self.asked, jobs), **stray}
        return Unsettled(stray, {repo: _unread(repo, why) for repo, why in self.troubles.items()})

    def _among(self, repos: frozenset[RepoId]) -> Gathered:
        ours = [pair for pair in self.gathered.pairs if pair[0].home in repos]
        repositories, inventories = tuple(one for one, _ in ours), tuple(one for _, one in ours)
        return replace(self.gathered, repositories=repositories, inventories=inventories)

    def both(self, repos: Iterable[RepoId]) -> Iterator[tuple[Repository, Inventory]]:
        """These repositories, as far as they were read."""
        wanted = set(repos)
        return (pair for pair in self.gathered.pairs if pair[0].id in wanted)


def _unread(repo: RepoId, trouble: str) -> Unknown:
    why, _, settle = trouble.removeprefix(f"{repo}: ").partition(" → ")
    return Unknown(why, settle or "see to it that it can be read, run again")


def survey(book: Book, asked: Scope, reached: Reach, jobs: int) -> Surveyed:
    """Bring clones up to date, read everything, and note what is new. Raises RelockError."""
    looks = settings(asked.operator.says, book.progress.campaign)
    whole = [entry for entry in book.progress.active if not entry.of]
    each = side_by_side(jobs, lambda one: fetched(one, book, reached, looks.prefix), whole)
    found = list(followed("bringing clones up to date:", each, len(whole)))
    repositories = tuple(one.repository for one in found if one.repository)
    asked = replace(asked, discovered=Discovered(repositories, ()), branches=book.progress.branches)
    gathered = gather_with_callers(asked)
    troubles = {one.repo: one.trouble for one in found if one.trouble}
    for repo, trouble in sorted(troubles.items()):
        wrong(printable(f"{repo}: {trouble}"))
    wanted = Asked(today(), limits(gathered, replace(gathered.narrowing, examples=False)))
    crossings = crossed(found, gathered, asked, jobs)
    book.note([*_branches(book, gathered), *_news(book, gathered, asked, troubles, crossings)])
    entries = book.progress.active
    planned = planner(gathered, wanted, asked.operator.says, OFFERED, split=False)
    return Surveyed(
        asked=asked,
        gathered=gathered,
        planned=functools.cache(lambda alone: waiting(planned(alone), entries)),
        settings=replace(looks, apart=_apart(book.progress.entries.values())),
        troubles=troubles,
        folders=frozenset(entry.repo for entry in whole if Path(entry.url).is_absolute()),
    )


def _apart(entries: Iterable[Entry]) -> Mapping[RepoId, str]:
    """The names of kept branches, by the ids that they go by."""
    return {entry.repo: entry.repo.removeprefix(f"{entry.of}@") for entry in entries if entry.of}


def _branches(book: Book, gathered: Gathered) -> Iterator[Event]:
    """Kept branches that are new, and those that are gone."""
    here = {one.id: one for one in gathered.repositories if one.branch}
    known = {entry.repo: entry for entry in book.progress.entries.values() if entry.of}
    for repo, one in here.items():
        if repo not in known or known[repo].left:
            yield events.Branched(repo, one.home)
    read = {one.id for one in gathered.repositories}
    for repo, entry in known.items():
        if repo not in here and not entry.left and entry.of in read:
            yield events.LeftOut(repo, "a branch that is gone")


def _news(
    book: Book,
    gathered: Gathered,
    asked: Scope,
    troubles: Mapping[RepoId, str],
    crossings: Mapping[RepoId, tuple[Crossing, ...]],
) -> Iterator[Event]:
    """What is other than the campaign knew of where repositories and their states stand."""
    with Progress("judging what was found:"):
        audited = audit(gathered.inventories, gathered.estate, [], today(), gathered.narrowing)
        planned = plan(gathered.estate, audited.held, today())
    for repository, inventory in gathered.pairs:
        entry = book.progress.entries.get(repository.id, Entry(repository.id))
        trouble = troubles.get(repository.id, "") or _no(inventory)
        commit = _commit(repository)
        crossing = entry.crossings if repository.home in troubles else crossings.get(repository.id, ())
        here = tuple(stands(planned, repository.id))
        states = {one.state: State(one.now, one.phase, one.standing, one.because) for one in here}
        owned = dict.fromkeys(name for one in here for name in audited.owners.get(one.state, ()))
        owner = ", ".join(owned)
        known = (entry.commit, entry.owner, entry.trouble, entry.states, entry.crossings)
        if known != (commit, owner, trouble, states, crossing):
            yield events.Read(repository.id, commit, owner, trouble)
            yield from here
            for one in crossing:
                holds = "yes" if one.holds else "no"
                yield events.Crossed(repository.id, one.url, one.state, one.why, holds)
    for repo in troubles.keys() - {repository.id for repository in gathered.repositories}:
        if book.progress.entries[repo].trouble != troubles[repo]:
            yield events.Read(repo, "", "", troubles[repo])


def _commit(repository: Repository) -> str:
    at = commit_of(repository)
    return at.value if isinstance(at, Known) else ""


def _no(inventory: Inventory) -> str:
    why = unwanted(inventory)
    return f"wants no proposals: {why}" if why else ""
