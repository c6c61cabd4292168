"""PATHs → what every repository holds, joined: the first half of every command that reads source."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

import click

from migrate.campaign.commit import AtCommit
from migrate.campaign.inventory import Inventory, finish, take
from migrate.campaign.narrowing import Narrowing
from migrate.campaign.taking import INTEREST, Taking
from migrate.cli.exits import Exit
from migrate.cli.options import Scope
from migrate.cli.trust import told
from migrate.errors import RelockError
from migrate.estate import join
from migrate.files import (
    Item,
    Left,
    Opened,
    Read,
    Repository,
    Unreadable,
    beside,
    follow,
    printable,
    scratch,
    walk,
)
from migrate.git import borrow, differing, head, ignored, merge_base, resolve
from migrate.model import Estate, Known, RepoId, Unknown
from migrate.report import Checkout


@dataclass(frozen=True, slots=True)
class Gathered:
    """All repositories of one run. `exits` are the codes that reading them calls for."""

    repositories: tuple[Repository, ...]
    inventories: tuple[Inventory, ...]
    estate: Estate
    exits: tuple[Exit, ...]


class OnDisk:
    """The reader of one repository's working tree."""

    def __init__(self, repository: Repository) -> None:
        self._repository = repository

    def read(self, path: PurePosixPath, /) -> Read | Unreadable | None:
        found = follow(self._repository, path)
        return None if isinstance(found, Left) else found

    def names(self, directory: PurePosixPath, /) -> Iterable[str]:
        return beside(self._repository, directory)


def gather(asked: Scope) -> Gathered:
    """Read all repositories that the PATHs lead to, and join what they hold."""
    discovered = asked.discovered
    for missing in discovered.missing:
        click.echo(f"tfrelock: {printable(missing)}: no such file or directory", err=True)
    entered: dict[RepoId, _Entered] = {}
    for repository, item in walk(discovered.repositories, INTEREST):
        if repository.id not in entered:
            entered[repository.id] = _Entered(repository, asked)
        entered[repository.id].take(item)
    repositories = [one.repository for one in entered.values()]
    inventories = [one.left() for one in entered.values()]
    return _joined(repositories, inventories, asked, [Exit.NOTHING] if discovered.missing else [])


class _Entered:
    """One repository while its files come in, each looked at while the walk goes on in other processes."""

    def __init__(self, repository: Repository, asked: Scope) -> None:
        self.repository = repository
        self._reader = OnDisk(repository)
        self._said = told(self._reader, repository.id, asked.operator)
        self._narrowing = asked.narrowing.without(self._said.exclude)
        self._taking = Taking(repository.id)

    def take(self, item: Item) -> None:
        if not _excluded(self._narrowing, self.repository, item):
            self._taking.take(item)

    def left(self) -> Inventory:
        """What it held, once no more files come."""
        return finish(self._taking, self._reader, self._said)


def _joined(
    repositories: Iterable[Repository], inventories: Sequence[Inventory], asked: Scope, exits: Iterable[Exit]
) -> Gathered:
    partial = any(inventory.unreadable for inventory in inventories)
    operator = asked.operator
    return Gathered(
        repositories=tuple(repositories),
        inventories=tuple(inventories),
        estate=join([i.survey for i in inventories], operator.stated, operator.seen, operator.floors),
        exits=(*exits, *([Exit.PARTIAL] if partial else [])),
    )


def gather_change(asked: Scope, base: str) -> tuple[Gathered, Gathered]:
    """Every repository at the commit it parts from `base` at, and at HEAD, both from git's objects.

    Raises RelockError where a PATH is in no git repository or has no such commit.
    """
    repositories = asked.discovered.repositories
    old, new = [], []
    for repository in repositories:
        with scratch() as folder:
            before, after = _both(repository, base, folder)
            old.append(_at(repository, before, asked, before))
            new.append(_at(repository, after, asked, before))
    return _joined(repositories, old, asked, ()), _joined(repositories, new, asked, ())


def _both(repository: Repository, base: str, folder: Path) -> tuple[AtCommit, AtCommit]:
    where = str(repository.root)
    at, tip = (resolve(repository.root, name) for name in (base, "HEAD"))
    if isinstance(at, Unknown):
        raise RelockError(at.why, where, at.settle)
    if isinstance(tip, Unknown):
        raise RelockError(tip.why, where, tip.settle)
    own = borrow(repository.root, folder)
    parted = merge_base(own, at.value, tip.value) or at.value
    return AtCommit(own, parted), AtCommit(own, tip.value)


def _at(repository: Repository, commit: AtCommit, asked: Scope, trusted: AtCommit) -> Inventory:
    """What a commit holds. What the repository says of itself is read from the base: a change cannot excuse
    itself.
    """
    said = told(trusted, repository.id, asked.operator)
    narrowing = asked.narrowing.without(said.exclude)
    kept = (item for item in commit.items(INTEREST) if not _excluded(narrowing, repository, item))
    return take(repository.id, kept, commit, said)


def _excluded(narrowing: Narrowing, repository: Repository, item: Item) -> bool:
    return not isinstance(item, Opened) and narrowing.excludes(repository.id, item.path)


def checkouts(gathered: Gathered) -> Iterator[Checkout]:
    """Each repository with its branch and commit, and whether what was read differs, as far as git says."""
    for repository, inventory in zip(gathered.repositories, gathered.inventories, strict=True):
        at = head(repository.root) if repository.git else None
        if isinstance(at, Known):
            dirty = _dirty(repository, inventory, at.value.commit)
            yield Checkout(repository.id, at.value.branch, at.value.commit, dirty)
        else:
            yield Checkout(repository.id)


def _dirty(repository: Repository, inventory: Inventory, commit: str) -> bool | None:
    read = {path: source.text.encode() for path, source in inventory.sources.items()}
    changed = differing(repository.root, commit, read)
    return bool(changed.value) if isinstance(changed, Known) else None


def say_unread(gathered: Gathered) -> None:
    """Name on stderr every file that could not be read; `audit` has them in its report."""
    for inventory in gathered.inventories:
        for file in inventory.unreadable:
            where = printable(f"{inventory.survey.repo} {file.path}")
            click.echo(f"unreadable {where}: {printable(file.why)}", err=True)


def today() -> str:
    """The date, UTC, ISO 8601: the only clock of a command that reads source."""
    return dt.datetime.now(dt.UTC).date().isoformat()


def ignored_files(gathered: Gathered) -> dict[RepoId, frozenset[PurePosixPath]]:
    """Of the files with sites, those that git ignores."""
    return {
        repository.id: paths.value
        for repository, inventory in zip(gathered.repositories, gathered.inventories, strict=True)
        if repository.git
        and inventory.survey.sites
        and isinstance(paths := ignored(repository.root, {s.path for s in inventory.survey.sites}), Known)
    }
