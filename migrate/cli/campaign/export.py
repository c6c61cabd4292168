"""`tfrelock campaign export`: what is open, as patches, and as work for multi-gitter and turbolift."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from pathlib import Path, PurePosixPath

import click

from migrate.campaign.offering.bundle import Bundle, Patched, bundle, crowded
from migrate.campaign.offering.slices import Slice, branch, parted
from migrate.campaign.proposing.propose import committed
from migrate.campaign.proposing.round import Unsettled
from migrate.cli.campaign.book import FILE, Book, opened
from migrate.cli.campaign.survey import Surveyed, survey
from migrate.cli.campaign.wave import LIMIT, candidates
from migrate.cli.exits import Exit, worst
from migrate.cli.forges import reach, with_forge
from migrate.cli.jobs import with_jobs
from migrate.cli.options import Scope, scope, with_judging, with_narrowing
from migrate.cli.reach import Reach
from migrate.cli.voice import followed, hint, with_voice, wrong
from migrate.errors import RelockError
from migrate.files import Discovered, Repository, printable
from migrate.files.outbox import Outbox
from migrate.model import RepoId
from migrate.progress import next_wave
from migrate.reports.spelling import counted


@with_voice
@with_narrowing
@with_judging
@with_forge
@click.command("export")
@FILE
@click.option(
    "--wave",
    type=click.IntRange(1),
    metavar="NUMBER",
    help="A wave; without it the last, and before there was one what next would offer.",
)
@click.option(
    "--to",
    "to",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="DIR",
    required=True,
    help="The folder to write: patches for git am, multi-gitter.yaml and a folder for turbolift.",
)
@with_jobs
def command(*, file: Path, wave: int | None, to: Path, jobs: int) -> int:
    """Write a wave into a folder, for those who bring it out by other means. Nothing is proposed."""
    asked = scope(Discovered((), ()))
    with opened(file) as book:
        if wave and wave > book.progress.wave:
            last = f"the last is {book.progress.wave}" if book.progress.wave else "none was offered yet"
            wrong(f"tfrelock: --wave {wave}: there is no such wave, {last}")
            return Exit.NOTHING
        return _export(book, asked, wave, to, jobs)


def _export(book: Book, asked: Scope, wave: int | None, to: Path, jobs: int) -> Exit:
    with reach(asked.operator.says, writes=False, commits=True) as reached:
        surveyed = survey(book, asked, reached, jobs)
        unsettled = surveyed.unsettled(reached, jobs)
        patched: list[Patched] = []
        failed = False
        chosen = _chosen(wave, book, surveyed)
        for repository, slice_ in followed("making patches:", _of(chosen, surveyed)):
            try:
                patched.append(_patched(repository, slice_, surveyed, reached, unsettled))
            except RelockError as error:
                wrong(printable(f"{repository.id}: {error.what} → {error.try_this}"))
                failed = True
    for one in (left := crowded(patched)):
        wrong(
            printable(f"{one.repo}: {one.folder} is another repository's, too → name one of them in --only")
        )
    patched = [one for one in patched if one not in left]
    if patched:
        _write(bundle(patched), Outbox(to))
        hint(f"{counted(len(patched), 'patch', 'patches')} in {to}")
    else:
        wrong("nothing to export")
    exits = [*([Exit.PARTIAL] if failed or left else []), *([] if patched else [Exit.NOTHING])]
    return worst([*surveyed.exits, *exits])


def _chosen(wave: int | None, book: Book, surveyed: Surveyed) -> Collection[tuple[RepoId, str]]:
    """The slices of a wave, by their repository."""
    number = wave or book.progress.wave
    if number:
        return {
            (entry.repo, slice_)
            for entry in book.progress.active
            for slice_, chosen in entry.chosen.items()
            if chosen == number
        }
    first = next_wave(book.progress, candidates(book, surveyed), LIMIT)
    return {(one.repo, one.slice) for one in first.chosen}


def _of(chosen: Collection[tuple[RepoId, str]], surveyed: Surveyed) -> Iterator[tuple[Repository, Slice]]:
    """The slices that were chosen and are still to be merged."""
    at = {one.id: one for one in surveyed.gathered.repositories}
    for slice_ in surveyed.planned(frozenset()).slices:
        repo = slice_.offer.repo
        if (repo, slice_.name) in chosen and repo in at:
            for part in parted(slice_):
                yield at[repo], part


def _patched(
    repository: Repository,
    slice_: Slice,
    surveyed: Surveyed,
    reached: Reach,
    unsettled: Unsettled,
) -> Patched:
    """Raises RelockError, also where what was judged is not what is committed."""
    if why := unsettled.of(slice_):
        raise RelockError(why.why, repository.id, why.settle)
    with reached.ports(repository) as ports:
        tip = committed(slice_, ports.commits, surveyed.settings)
        name = branch(slice_, surveyed.settings.at(repository.id).prefix)
        patch, page = ports.commits.patch(tip), ports.page(slice_.offer)
        return Patched(repository.home, slice_.offer, name, patch, page, repository.branch)


def _write(what: Bundle, out: Outbox) -> None:
    for path, content in what.items():
        out.put(PurePosixPath(path), content)
