"""`tfrelock campaign sync`: what became of each proposal, and where every state stands now."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

import click
from msgspec import Struct

from migrate.campaign.proposing.branch_forge import BranchForge
from migrate.campaign.proposing.propose import Settings
from migrate.campaign.proposing.turns import seen, slice_named
from migrate.cli.campaign.book import FILE, opened
from migrate.cli.campaign.survey import survey
from migrate.cli.campaign.wave import PATIENCE
from migrate.cli.exits import Exit, worst
from migrate.cli.forges import reach, with_forge
from migrate.cli.jobs import side_by_side, with_jobs
from migrate.cli.options import scope, with_config, with_judging
from migrate.cli.reach import Reach
from migrate.cli.voice import followed, hint, with_voice, wrong
from migrate.errors import RelockError
from migrate.files import Discovered, Repository, printable
from migrate.forges import Forge
from migrate.model import RepoId, Unknown
from migrate.progress import Entry, Event, events
from migrate.reports.spelling import counted


@with_voice
@with_config
@with_judging
@with_forge
@click.command("sync")
@FILE
@with_jobs
def command(*, file: Path, jobs: int) -> int:
    """Look at every proposal and every repository, and note where they stand. Nothing is changed there."""
    asked = scope(Discovered((), ()))
    with (
        opened(file) as book,
        reach(asked.operator.says, writes=False, sees=True, patience=PATIENCE) as reached,
    ):
        surveyed = survey(book, asked, reached, jobs)
        at = {one.id: one for one in surveyed.gathered.repositories}
        look = _Look(reached, surveyed.settings)
        entries = [entry for entry in book.progress.active if entry.offers or entry.busy]
        found: list[Event] = []
        each = side_by_side(jobs, lambda entry: look.at(entry, at.get(entry.repo)), entries)
        for told in followed("looking at proposals:", each, len(entries)):
            book.note(told)
            found += told
    missed = [event for event in found if isinstance(event, events.Withheld)]
    for event in missed:
        if event.why not in surveyed.troubles.get(RepoId(event.repo), ""):  # else it was said
            wrong(printable(f"{event.repo} {event.branch} not seen: {event.why} → {event.remedy}"))
    hint(f"{counted(len(found) - len(missed), 'proposal')} seen: tfrelock campaign status {file}")
    return worst([*surveyed.exits, *([Exit.PARTIAL] if missed else [])])


class _Look(Struct, frozen=True):
    reached: Reach
    settings: Settings

    def at(self, entry: Entry, repository: Repository | None) -> list[Event]:
        """What stands on each branch of a repository that is known, or may be there since an interruption."""
        branches = dict.fromkeys([*sorted(entry.offers), *entry.busy])
        prefix = self.settings.at(entry.repo).prefix
        try:
            if self.reached.host is not None:
                forge = BranchForge(self.reached.host, RepoId(entry.of or entry.repo))
                return list(self._seen(entry.repo, branches, forge))
            if repository is None:  # said already
                return []
            with self.reached.ports(repository) as ports:
                return list(self._seen(entry.repo, branches, ports.forge))
        except RelockError as error:
            return [
                events.Withheld(entry.repo, slice_named(branch, prefix), branch, error.what, error.try_this)
                for branch in branches
            ]

    def _seen(self, repo: RepoId, branches: Iterable[str], forge: Forge) -> Iterator[Event]:
        prefix = self.settings.at(repo).prefix
        for branch in branches:
            state = forge.find(repo, branch)
            if isinstance(state, Unknown):
                yield events.Withheld(repo, slice_named(branch, prefix), branch, state.why, state.settle)
            elif state is not None:
                yield seen(repo, state, prefix, self.reached.review(state))
