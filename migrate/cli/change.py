"""PATHs and a ref → what every repository held before a change and holds after it, from git's objects."""

from __future__ import annotations

from pathlib import Path

from migrate.campaign.commit import AtCommit
from migrate.campaign.inventory import Inventory, take
from migrate.campaign.taking import interest
from migrate.cli.gather import Gathered, excluded, joined
from migrate.cli.options import Scope
from migrate.cli.trust import told
from migrate.errors import RelockError
from migrate.files import Repository, scratch
from migrate.git.checkout import resolve
from migrate.git.commits import merge_base
from migrate.git.own import borrow
from migrate.model import Unknown


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
    return joined(repositories, old, asked, ()), joined(repositories, new, asked, ())


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
    kept = (item for item in commit.items(interest(())) if not excluded(narrowing, repository, item))
    return take(repository.id, kept, commit, said)
