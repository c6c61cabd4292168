"""All repositories of a campaign brought up to date and read: what stands where, and what is open now."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

import click
from msgspec import Struct
from msgspec.structs import replace

from migrate.campaign.auditing.audit import audit
from migrate.campaign.auditing.plan import plan
from migrate.campaign.offering.offers import OFFERED
from migrate.campaign.phases.stage import Asked
from migrate.campaign.proposing.propose import Settings
from migrate.campaign.proposing.round import Plan
from migrate.campaign.proposing.turns import stands
from migrate.campaign.reading.inventory import Inventory
from migrate.cli.campaign.book import Book
from migrate.cli.exits import Exit
from migrate.cli.forges import Reach
from migrate.cli.gather import Gathered, gather_with_callers, say_unread, today
from migrate.cli.ignored import ignored_files
from migrate.cli.jobs import side_by_side
from migrate.cli.offering import planner, settings, unwanted
from migrate.cli.options import Scope
from migrate.errors import RelockError
from migrate.files import Discovered, Repository, cache, discover, printable, scratch
from migrate.files.shelf import Shelf
from migrate.git.checkout import head
from migrate.git.clones import clone, default_branch
from migrate.git.own import blank
from migrate.git.remote import Remote, remote, remote_tip
from migrate.leaves import keep_grammar_in
from migrate.model import Known, RepoId, Unknown
from migrate.progress import Entry, Event, State, events


class Surveyed(Struct, frozen=True):
    """What was read. `troubles`: why a repository was not, or not as it is today; `unread`: not at all."""

    gathered: Gathered
    planned: Plan
    settings: Settings
    troubles: Mapping[RepoId, str]
    unread: frozenset[RepoId]

    @property
    def exits(self) -> tuple[Exit, ...]:
        return (*self.gathered.exits, *([Exit.PARTIAL] if self.troubles else []))

    def both(self, repos: Iterable[RepoId]) -> Iterator[tuple[Repository, Inventory]]:
        """These repositories, as far as they were read."""
        wanted = set(repos)
        for pair in zip(self.gathered.repositories, self.gathered.inventories, strict=True):
            if pair[0].id in wanted:
                yield pair


def survey(book: Book, asked: Scope, reached: Reach, jobs: int) -> Surveyed:
    """Bring clones up to date, read everything, and note what is new. Raises RelockError."""
    if folder := cache(os.environ):
        keep_grammar_in(folder)
    fetched = list(side_by_side(jobs, lambda one: _fetched(one, book.clones, reached), book.progress.active))
    repositories = tuple(one.repository for one in fetched if one.repository)
    asked = replace(asked, discovered=Discovered(repositories, ()))
    gathered = gather_with_callers(asked)
    say_unread(gathered)
    troubles = {one.repo: one.trouble for one in fetched if one.trouble}
    for repo, trouble in sorted(troubles.items()):
        click.echo(printable(f"{repo}: {trouble}"), err=True)
    wanted = Asked(today(), replace(asked.narrowing, examples=False), ignored_files(gathered))
    book.note(list(_news(book, gathered, asked, troubles)))
    return Surveyed(
        gathered=gathered,
        planned=planner(gathered, wanted, asked.operator.says, OFFERED, split=False),
        settings=settings(asked.operator.says, book.progress.campaign),
        troubles=troubles,
        unread=frozenset(one.repo for one in fetched if not one.repository),
    )


class _Fetched(Struct, frozen=True):
    repo: RepoId
    repository: Repository | None = None
    trouble: str = ""


def _fetched(entry: Entry, clones: Shelf, reached: Reach) -> _Fetched:
    """A repository as it is today; where that fails, as it was when it was last fetched, and why."""
    if Path(entry.url).is_absolute():
        found = discover([entry.url]).repositories
        if found and found[0].git:
            return _Fetched(entry.repo, replace(found[0], id=entry.repo, within=()))
        return _Fetched(entry.repo, None, f"there is no repository at {entry.url} any more")
    try:
        return _Fetched(entry.repo, _bare(entry.repo, _cloned(entry, clones, reached)))
    except RelockError as error:
        old = clones.any(entry.repo)
        return _Fetched(
            entry.repo, _bare(entry.repo, old) if old else None, str(error).replace("\n  try:", " →")
        )


def _bare(repo: RepoId, root: Path) -> Repository:
    return Repository(repo, root, git=True, bare=True)


def _cloned(entry: Entry, clones: Shelf, reached: Reach) -> Path:
    with scratch() as folder:
        own = blank(folder)
        at, branch = _home(entry, reached)
        branch = branch or default_branch(own, at) or ""
        tip = remote_tip(own, at, branch) if branch else None
    if tip is None:
        raise RelockError("the repository is empty", entry.repo, "take it out, or wait for its first commit")
    if kept := clones.find(entry.repo, tip):
        return kept
    with clones.making(entry.repo) as making:
        made, commit = clone(at, branch, making)
        return clones.keep(made, entry.repo, commit)


def _home(entry: Entry, reached: Reach) -> tuple[Remote, str]:
    """Where it is fetched from, and its branch where its forge says that."""
    if reached.host is None:
        return remote(entry.url), ""
    home = reached.host.home(entry.repo)
    if isinstance(home, Unknown):
        raise RelockError(home.why, entry.repo, home.settle)
    return remote(home.url, home.token), home.base


def _news(book: Book, gathered: Gathered, asked: Scope, troubles: Mapping[RepoId, str]) -> Iterator[Event]:
    """What is other than the campaign knew of where repositories and their states stand."""
    audited = audit(gathered.inventories, gathered.estate, [], today(), asked.narrowing)
    planned = plan(gathered.estate, audited.held, today())
    for repository, inventory in zip(gathered.repositories, gathered.inventories, strict=True):
        entry = book.progress.entries[repository.id]
        trouble = troubles.get(repository.id, "") or _no(inventory)
        at = head(repository.root)
        commit = at.value.commit if isinstance(at, Known) else ""
        here = tuple(stands(planned, repository.id))
        states = {one.state: State(one.now, one.phase, one.standing, one.because) for one in here}
        owned = dict.fromkeys(name for one in here for name in (audited.owners or {}).get(one.state, ()))
        owner = ", ".join(owned)
        if (entry.commit, entry.owner, entry.trouble, entry.states) != (commit, owner, trouble, states):
            yield events.Read(repository.id, commit, owner, trouble)
            yield from here
    for repo in troubles.keys() - {repository.id for repository in gathered.repositories}:
        if book.progress.entries[repo].trouble != troubles[repo]:
            yield events.Read(repo, "", "", troubles[repo])


def _no(inventory: Inventory) -> str:
    why = unwanted(inventory)
    return f"wants no proposals: {why}" if why else ""
