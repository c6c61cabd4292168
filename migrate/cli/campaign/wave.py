"""`tfrelock campaign next`: the next wave, and all that stands open brought up to date."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Final

import click
from msgspec import Struct

from migrate.campaign.proposing.outcomes import Outcome, Withheld
from migrate.campaign.proposing.round import Round
from migrate.campaign.proposing.turns import told
from migrate.campaign.reading.inventory import Inventory
from migrate.cli.campaign.book import FEWEST_WRITES, FILE, Book, opened
from migrate.cli.campaign.survey import Surveyed, survey
from migrate.cli.exits import Exit, worst
from migrate.cli.forges import reach, say_dry, with_forge
from migrate.cli.jobs import side_by_side, with_jobs
from migrate.cli.offering import line, say_lacks, turn, unwanted
from migrate.cli.options import scope, with_judging, with_narrowing, with_yes
from migrate.cli.reach import Reach
from migrate.cli.voice import hint, with_voice, wrong
from migrate.errors import RelockError
from migrate.files import Discovered, Repository, printable
from migrate.forges import minutes
from migrate.model import RepoId
from migrate.progress import Candidate, Wave, next_wave
from migrate.progress.events import Begins, Chosen, Ended
from migrate.reports.spelling import counted

LIMIT: Final = 25
"""How many are offered at once where nobody says."""
PATIENCE: Final = 3700.0
"""Seconds that a forge may ask a campaign to wait: GitHub's limits are told anew each hour."""


@with_voice
@with_narrowing
@with_judging
@with_forge
@click.command("next")
@FILE
@click.option(
    "--limit",
    type=click.IntRange(1),
    default=LIMIT,
    show_default=True,
    metavar="NUMBER",
    help="The size of a wave.",
)
@with_yes(help="Make the proposals; without it, say what would be made.")
@with_jobs
def command(*, file: Path, limit: int, writes: bool, jobs: int) -> int:
    """Offer the next wave: until three repositories have merged, at most five stand open; then more.

    What stands open is brought up to date, and made a draft where a gate has closed. A run that was
    interrupted is taken up where it ended.
    """
    asked = scope(Discovered((), ()))
    with opened(file) as book:
        if book.progress.halted and writes:
            raise RelockError(
                f"the campaign is paused: {book.progress.halted}",
                str(file),
                f"tfrelock campaign pause {file} --over",
            )
        past = sorted(book.written)
        with reach(asked.operator.says, writes=writes, patience=PATIENCE, past=past) as reached:
            surveyed = survey(book, asked, reached, jobs)
            wave = next_wave(book.progress, candidates(book, surveyed), limit)
            _say(wave, surveyed)
            outcomes = list(_Run(book, surveyed, reached, wave).outcomes(jobs))
    if outcomes and not writes:
        say_dry(reached)
    partial = say_lacks(outcomes) or any(isinstance(outcome, Withheld) for outcome in outcomes)
    return worst([*surveyed.exits, *([Exit.PARTIAL] if partial else [])])


def candidates(book: Book, surveyed: Surveyed) -> Iterator[Candidate]:
    """What could be offered. A repository that could not be read may hold a client: nothing is retired."""
    takes_part = {entry.repo for entry in book.progress.active}
    wanted = {i.survey.repo for i in surveyed.gathered.inventories if not unwanted(i)} & takes_part
    for slice_ in surveyed.planned(frozenset()).slices:
        if slice_.offer.repo in wanted and not (surveyed.troubles and slice_.name == "finish"):
            yield Candidate(slice_.offer.repo, slice_.name, len(slice_.paths))


def _say(wave: Wave, surveyed: Surveyed) -> None:
    kind = "goes on" if wave.resumed else "is"
    what = counted(len(wave.chosen), "proposal")
    hint(f"wave {wave.number} {kind} {what}" if wave.chosen else "nothing new to offer")
    for name, count in sorted(wave.waiting.items()):
        more = counted(count, "more repository", "more repositories")
        hint(f"{name} is for {more} once three have merged it")
    if surveyed.troubles:
        unread = counted(len(surveyed.troubles), "repository")
        wrong(f"nothing is retired while {unread} cannot be read")
    for repo, why in sorted(surveyed.planned(frozenset()).waits.items()):
        wrong(printable(f"{repo}: finish waits: {why}"))
    if least := minutes(FEWEST_WRITES * len(wave.chosen)):
        hint(f"the forge lets this take {counted(least, 'minute')} at least")


class _Run(Struct, frozen=True):
    """The turns of one run."""

    book: Book
    surveyed: Surveyed
    reached: Reach
    wave: Wave

    def outcomes(self, jobs: int) -> Iterator[Outcome]:
        """Turn by turn; each is noted before it begins and when it is over."""
        due = self._due()
        turns = self._round(due, jobs)
        if self.reached.writes and not self.wave.resumed:
            self.book.note([Chosen(str(self.wave.number), one.repo, one.slice) for one in self.wave.chosen])

        def one(pair: tuple[Repository, Inventory]) -> list[Outcome]:
            return self._turn(*pair, turns, due[pair[0].id])

        for outcomes in side_by_side(jobs, one, self.surveyed.both(due)):
            for outcome in outcomes:
                click.echo(line(outcome, writes=self.reached.writes))
                yield outcome

    def _due(self) -> Mapping[RepoId, frozenset[str]]:
        """The slices whose turn it is: of this wave, and those that stand open."""
        due: dict[RepoId, set[str]] = {}
        for one in self.wave.chosen:
            due.setdefault(one.repo, set()).add(one.slice)
        for entry in self.book.progress.active:
            names = {offer.slice for offer in entry.offers.values() if offer.standing == "open"}
            if names or entry.busy:
                due.setdefault(entry.repo, set()).update(names)
        return {repo: frozenset(names) for repo, names in due.items()}

    def _round(self, due: Mapping[RepoId, frozenset[str]], jobs: int) -> Round:
        read, writes = self.surveyed, self.reached.writes
        unsettled = read.unsettled(self.reached, jobs)
        return Round(read.planned, read.settings, writes, whole=True, only=due, unsettled=unsettled)

    def _turn(
        self, repository: Repository, inventory: Inventory, turns: Round, due: Iterable[str]
    ) -> list[Outcome]:
        if not self.reached.writes:
            return list(turn(repository, inventory, turns, self.reached, self.surveyed.asked))
        prefix = self.surveyed.settings.at(repository.id).prefix
        before, busy = self.reached.written, self.book.progress.entries[repository.id].busy
        branches = dict.fromkeys([*busy, *turns.branches(repository.id)])
        self.book.note([Begins(repository.id, "\n".join(branches))])
        outcomes = list(turn(repository, inventory, turns, self.reached, self.surveyed.asked))
        self.book.note(
            [*told(outcomes, prefix, due), Ended(repository.id, str(self.reached.written - before))]
        )
        return outcomes
