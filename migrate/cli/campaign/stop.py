"""`tfrelock campaign pause` and `close`: proposals made drafts for a while, or ended, each with a reason."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Final, TypeAlias

import click

from migrate.campaign.proposing.outcomes import Paused, Withheld
from migrate.campaign.proposing.pausing import pause as drafted_
from migrate.campaign.proposing.ports import Ports
from migrate.campaign.proposing.turns import seen, slice_named
from migrate.cli.campaign.book import FILE, Book, opened
from migrate.cli.campaign.survey import Surveyed, survey
from migrate.cli.campaign.wave import PATIENCE
from migrate.cli.exits import Exit, worst
from migrate.cli.forges import reach, with_forge
from migrate.cli.jobs import side_by_side, with_jobs
from migrate.cli.offering import say_lacks
from migrate.cli.options import scope, with_config, with_yes
from migrate.cli.reach import Reach
from migrate.cli.voice import hint, with_voice, wrong
from migrate.errors import RelockError
from migrate.files import Discovered, Repository, printable
from migrate.forges import open_now
from migrate.model import ProposalState, RepoId
from migrate.progress import Entry, Event, Progress, events

_YES: Final = with_yes(help="Do it; without it, say what would be done.")
Change: TypeAlias = Callable[[Ports, RepoId, str], ProposalState | None]
"""What is done to the proposal of a branch; gives how it stands then, None when there is none."""


@with_voice
@with_config
@with_forge
@click.command("pause")
@FILE
@click.option("--because", "why", metavar="WHY", help="A sentence for the owners; it stands first.")
@click.option("--over", is_flag=True, help="End the pause: the next wave brings the drafts up to date.")
@_YES
@with_jobs
def pause(*, file: Path, why: str | None, over: bool, writes: bool, jobs: int) -> int:
    """Make every open proposal a draft that says why it is not to be merged now; nothing new is offered."""
    if over == bool(why):
        raise click.UsageError("say --because WHY, or --over")
    asked = scope(Discovered((), ()))
    with opened(file) as book:
        if not why:
            book.note([events.Resumed()])
            return Exit.OK
        with reach(asked.operator.says, writes=writes, patience=PATIENCE) as reached:
            surveyed = survey(book, asked, reached, jobs)
            if writes:
                book.note([events.Halted(why)])

            done: list[Paused] = []

            def drafted(ports: Ports, repo: RepoId, branch: str) -> ProposalState | None:
                paused = drafted_(repo, branch, why, ports, write=True)
                if isinstance(paused, Withheld):
                    raise RelockError(paused.why, repo, paused.remedy)
                done.extend([paused] if paused else [])
                return paused.state if paused else None

            run = _Run(book, surveyed, reached, drafted, "a draft")
            code = _stop(_open(book.progress, ()), run, jobs)
    return worst([code, *([Exit.PARTIAL] if say_lacks(done) else [])])


@with_voice
@with_config
@with_forge
@click.command("close")
@FILE
@click.option("--because", "why", metavar="WHY", required=True, help="A sentence for the owners.")
@click.option(
    "--repository", "globs", multiple=True, metavar="GLOB", help="Only repositories that match (repeatable)."
)
@_YES
@with_jobs
def close(*, file: Path, why: str, globs: tuple[str, ...], writes: bool, jobs: int) -> int:
    """Close open proposals with a comment. They are not offered again until somebody opens them."""
    asked = scope(Discovered((), ()))
    with opened(file) as book, reach(asked.operator.says, writes=writes, patience=PATIENCE) as reached:
        withdraw, strangers = reached.closing(), list(_unmatched(book.progress, globs))
        surveyed = survey(book, asked, reached, jobs)
        chosen = _open(book.progress, globs)
        if writes:
            book.note([events.Withdrawn(e.repo, b, why) for e, branches in chosen for b in branches])

        def closed(ports: Ports, repo: RepoId, branch: str) -> ProposalState | None:
            state = open_now(ports.forge, repo, branch)
            return withdraw(state, why) if state else None

        code = _stop(chosen, _Run(book, surveyed, reached, closed, "closed"), jobs)
        return worst([code, *strangers])


def _unmatched(progress: Progress, globs: Iterable[str]) -> Iterator[Exit]:
    """The code that each `--repository` calls for that names none of the campaign."""
    for glob in globs:
        if not any(fnmatchcase(entry.repo, glob) for entry in progress.active):
            wrong(f"tfrelock: --repository {printable(glob)}: no repository of the campaign matches it")
            yield Exit.NOTHING


def _open(progress: Progress, globs: Iterable[str]) -> list[tuple[Entry, list[str]]]:
    """Repositories and the branches of their open proposals."""
    globs = tuple(globs)
    found = []
    for entry in progress.active:
        branches = sorted(offer.branch for offer in entry.offers.values() if offer.standing == "open")
        if branches and (not globs or any(fnmatchcase(entry.repo, glob) for glob in globs)):
            found.append((entry, branches))
    return found


class _Run:
    """One change of proposals, made and noted repository by repository."""

    def __init__(self, book: Book, surveyed: Surveyed, reached: Reach, change: Change, word: str) -> None:
        self._book = book
        self._settings = surveyed.settings
        self._at = {one.id: one for one in surveyed.gathered.repositories}
        self._reached = reached
        self._change = change
        self._word = word
        self.exits = surveyed.exits
        self.writes = reached.writes

    def of(self, pair: tuple[Entry, list[str]]) -> list[Event]:
        entry, branches = pair
        if not self._reached.writes:
            return []
        told = list(self._told(entry.repo, branches))
        self._book.note(told)
        return told

    def _told(self, repo: RepoId, branches: Iterable[str]) -> Iterator[Event]:
        """What became of each branch that had an open proposal still."""
        left = list(branches)
        try:
            with self._reached.ports(self._read(repo)) as ports:
                while left:
                    state = self._change(ports, repo, left[0])
                    del left[0]
                    if state:
                        yield seen(repo, state, self._settings.at(repo).prefix)
        except RelockError as error:
            for branch in left:
                name = slice_named(branch, self._settings.at(repo).prefix)
                yield events.Withheld(repo, name, branch, error.what, error.try_this)

    def _read(self, repo: RepoId) -> Repository:
        if repo in self._at:
            return self._at[repo]
        raise RelockError("it could not be read", repo, "see above, run it again")

    def said(self, branch: str, told: Iterable[Event]) -> str:
        """What became of a branch, or would."""
        if not self._reached.writes:
            return f"would be {self._word}"
        for event in told:
            match event:
                case events.Withheld(branch=one, why=why, remedy=remedy) if one == branch:
                    return f"not {self._word}: {why} → {remedy}"
                case events.Proposed(branch=one) if one == branch:
                    return self._word
                case _:
                    pass
        return "is not open any more"


def _stop(chosen: list[tuple[Entry, list[str]]], run: _Run, jobs: int) -> Exit:
    missed = False
    if not chosen:
        hint("no proposal is open")
    for (entry, branches), told in zip(chosen, side_by_side(jobs, run.of, chosen), strict=True):
        for branch in branches:
            click.echo(printable(f"{entry.repo} {branch} {run.said(branch, told)}"))
        missed = missed or any(isinstance(event, events.Withheld) for event in told)
    if chosen and not run.writes:
        hint("nothing was changed: --yes does it")
    return worst([*run.exits, *([Exit.PARTIAL] if missed else [])])
