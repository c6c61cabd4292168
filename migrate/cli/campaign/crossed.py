"""What the open proposals of others do to locks, read from the objects of our clones."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from msgspec import Struct

from migrate.campaign.auditing.crossings import crossings
from migrate.campaign.reading.commit import AtCommit
from migrate.campaign.reading.inventory import Inventory
from migrate.campaign.reading.one_file import interest
from migrate.cli.campaign.clones import OURS, Fetched
from migrate.cli.gather import Gathered, today
from migrate.cli.jobs import side_by_side
from migrate.cli.objects import Held
from migrate.cli.options import Scope
from migrate.cli.voice import followed
from migrate.files import Left, Linked, Read, Repository, scratch
from migrate.forges import Underway
from migrate.git.checkout import resolve
from migrate.git.own import borrow, changed
from migrate.model import Known, RepoId
from migrate.progress import Crossing


class _One(Struct, frozen=True):
    """An open proposal, and what stands in the branch that it is for."""

    number: int
    underway: Underway
    repository: Repository
    before: Inventory


def crossed(
    fetched: Iterable[Fetched], gathered: Gathered, asked: Scope, jobs: int
) -> Mapping[RepoId, tuple[Crossing, ...]]:
    """By the repository, or kept branch of one, that they are for; git is asked side by side."""
    told: dict[RepoId, list[Crossing]] = {}
    with scratch() as folder:

        def fetch(one: _One) -> tuple[_One, tuple[Held, AtCommit] | None]:
            return one, _held(one, folder / str(one.number))

        each = side_by_side(jobs, fetch, _all(fetched, gathered))
        for one, held in followed("reading open proposals:", each):
            if held is not None:
                after = held[0].taken(asked, held[1], ())
                said = crossings(one.underway.url, one.before, after, today())
                told.setdefault(one.repository.id, []).extend(said)
    return {repo: tuple(found) for repo, found in told.items()}


def _all(found: Iterable[Fetched], gathered: Gathered) -> Iterator[_One]:
    known = {repository.id: (repository, inventory) for repository, inventory in gathered.pairs}
    number = 0
    for one in found:
        for underway in one.underway:
            branch = RepoId(f"{one.repo}@{underway.base}")
            if at := known.get(branch, known.get(one.repo)):
                number += 1
                yield _One(number, underway, *at)


def _held(one: _One, folder: Path) -> tuple[Held, AtCommit] | None:
    """The proposal, and what it is for; None where it touches nothing that anybody looks for."""
    root, name = one.repository.root, one.repository.branch
    base = resolve(root, f"refs/heads/{name}" if name else "HEAD")
    tip = resolve(root, f"{OURS}{one.underway.number}")
    if not isinstance(base, Known) or not isinstance(tip, Known):
        return None  # it is not in an older clone, and that one is told of as such
    folder.mkdir()
    own = borrow(root, folder)
    touched = changed(own, base.value, tip.value)
    commit = AtCommit(own, tip.value)
    items = list(commit.items(interest(()))) if touched else []
    sought = {item.path for item in items if isinstance(item, Read | Linked | Left)}
    if not touched & (sought | one.before.sources.keys()):
        return None
    return Held(one.repository, commit, items), AtCommit(own, base.value)
