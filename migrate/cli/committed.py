"""Whether what gates were judged on is what is committed: a proposal is merged into nothing else.

A work tree may hold what no commit holds and lack what one does, and a branch may have moved on elsewhere.
Each may open a gate that is closed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from pathlib import PurePosixPath
from typing import Final

from migrate.campaign.offering.offers import Planned
from migrate.campaign.reading.commit import AtCommit
from migrate.campaign.reading.inventory import Inventory
from migrate.cli.checkouts import commit_of
from migrate.cli.gather import Gathered, OnDisk
from migrate.cli.jobs import side_by_side
from migrate.cli.objects import held
from migrate.cli.options import Scope
from migrate.cli.reach import Reach
from migrate.cli.voice import followed
from migrate.config import NAME
from migrate.errors import RelockError
from migrate.files import Item, Linked, Noted, Read, Repository, scratch
from migrate.git.branches import Base
from migrate.git.checkout import ignored
from migrate.git.own import borrow
from migrate.model import Known, RepoId, Unknown, settled
from migrate.policies import POLICIES

_JUDGED: Final = "and gates are judged on what stands here"
_COMMIT: Final = "commit it or put it aside, run again"
_CONFIGURATION: Final = PurePosixPath(NAME)


def loose(gathered: Gathered, planned: Planned, asked: Scope, jobs: int) -> Mapping[RepoId, Unknown]:
    """The repositories that are not as they are committed, each with its first such file.

    Where a gate is asked, every repository counts: what one of them names opens or closes it.
    """

    def told(pair: tuple[Repository, Inventory]) -> tuple[RepoId, Unknown | None]:
        return pair[0].id, _loose(*pair, asked)

    every = any(slice_.gated for slice_ in planned.slices)
    count = [
        (repository, inventory)
        for repository, inventory in gathered.pairs
        if every or planned.of(repository.id) or planned.concerns(repository.id)
    ]
    each = followed("holding files against commits:", side_by_side(jobs, told, count), len(count))
    return {repo: why for repo, why in each if why}


def _loose(repository: Repository, inventory: Inventory, asked: Scope) -> Unknown | None:
    if not repository.git or repository.bare:  # its files are those of a commit, or it has none
        return None
    at = commit_of(repository)
    if isinstance(at, Unknown):
        return at
    try:
        with scratch() as folder:
            commit = AtCommit(borrow(repository.root, folder), at.value)
            path = _first(commit, repository, inventory, asked)
    except RelockError as error:
        return Unknown(f"git does not say what has changed: {error.what}", error.try_this)
    return Unknown(f"{path} is not as it is committed, {_JUDGED}", _COMMIT) if path else None


def stale(gathered: Gathered, reached: Reach, asked: Scope, jobs: int) -> Mapping[RepoId, Unknown]:
    """The repositories that are not as their hosts have them now, each with its first such file, or why that
    is not known. Where a gate is asked they are neighbours of each other, whosever turn it is.
    """

    def told(pair: tuple[Repository, Inventory]) -> tuple[RepoId, Unknown | None]:
        try:
            return pair[0].id, _stale(*pair, reached, asked)
        except RelockError as error:
            return pair[0].id, Unknown(f"what its base holds is not known: {error.what}", error.try_this)

    pairs = gathered.pairs
    each = followed("holding checkouts against their hosts:", side_by_side(jobs, told, pairs), len(pairs))
    return {repo: why for repo, why in each if why}


def _stale(repository: Repository, inventory: Inventory, reached: Reach, asked: Scope) -> Unknown | None:
    if not repository.git:
        return None
    with scratch() as folder:
        own = borrow(repository.root, folder)
        base = reached.base(repository, own)
        held = partial(AtCommit, own, base.commit) if base else None
        return behind(repository, inventory, base, held, asked) if base and held else None


def behind(
    repository: Repository, inventory: Inventory, base: Base, held: Callable[[], AtCommit], asked: Scope
) -> Unknown | None:
    """Why what was judged is not what `base` holds. Raises RelockError."""
    at = commit_of(repository)
    if isinstance(at, Known) and at.value == base.commit:
        return None
    path = _first(held(), repository, inventory, asked)
    said = f"{path} is not what {base.name} holds, {_JUDGED}"
    return Unknown(said, f"bring the checkout to {base.name}, run again") if path else None


def _first(
    commit: AtCommit, repository: Repository, inventory: Inventory, asked: Scope
) -> PurePosixPath | None:
    """The first file that is judged by, here or in the commit, and that is not the same in both."""
    policies = tuple(POLICIES)
    at_commit = held(repository, commit, policies)
    differ = set(_differing(commit, at_commit.items, repository, inventory))
    if not differ:
        return None
    found = differ & {*_judged(inventory), *_judged(at_commit.taken(asked, commit, policies))}
    return min(found - _local(repository, commit, found), default=None)


def _local(repository: Repository, commit: AtCommit, paths: Iterable[PurePosixPath]) -> set[PurePosixPath]:
    """Those that git ignores: they are never committed. Raises RelockError."""
    local = ignored(repository.root, [] if repository.bare else [p for p in paths if not commit.has(p)])
    return set(settled(local, repository.id).value)


def _judged(inventory: Inventory) -> Iterator[PurePosixPath]:
    """The files that something was found in, or that speak by being there or by a value in them; what
    Terragrunt reads decides by its includes and sources which states there are.
    """
    survey = inventory.survey
    for found in (survey.sites, survey.pins, survey.runs, survey.definitions, inventory.policies):
        yield from (one.path for one in found)
    yield from (problem.where.path for problem in survey.problems)
    yield from (mention.where.path for mention in survey.mentions if not mention.accounted)
    yield from survey.marks
    yield from (link for links in survey.aliases.values() for link in links)
    yield from (path for path, _ in inventory.tree.besides())
    yield from (path for path in inventory.sources if path.suffix == ".hcl")
    yield _CONFIGURATION


def _differing(
    commit: AtCommit, items: Iterable[Item], repository: Repository, inventory: Inventory
) -> Iterator[PurePosixPath]:
    """The files that are not the same in both, of those that may count."""
    read = {path: source.text.encode() for path, source in inventory.sources.items()}
    read |= {path: text.encode() for path, text in inventory.tree.besides()}
    disk, bare = OnDisk(repository), repository.bare

    def here(path: PurePosixPath) -> bytes | None:
        found = None if path in read or bare else disk.read(path)
        return found.data if isinstance(found, Read) else read.get(path)

    marks, links = set(inventory.survey.marks), _links(inventory)
    there = {item.path for item in items if isinstance(item, Noted)}
    yield from (path for path in marks | there if commit.has(path) != (path in marks))
    yield from (path for path, _ in {(i.path, i.target) for i in items if isinstance(i, Linked)} - links)
    yield from (path for path, _ in links if not commit.is_link(path))
    known = {item.path for item in items if isinstance(item, Read)} | {*read, _CONFIGURATION}
    for path in known - marks | read.keys():
        data = here(path)
        if commit.has(path) != (data is not None) or (data is not None and not commit.holds(path, data)):
            yield path


def _links(inventory: Inventory) -> set[tuple[PurePosixPath, PurePosixPath]]:
    return {(link, target) for target, links in inventory.survey.aliases.items() for link in links}
