"""What a repository holds at a commit, read from git's objects: no work tree is needed."""

from __future__ import annotations

from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from migrate.campaign.commit import AtCommit
from migrate.campaign.inventory import Inventory, take
from migrate.campaign.taking import interest
from migrate.cli.gather import excluded
from migrate.cli.trust import told
from migrate.estate import Survey
from migrate.files import Repository, Unreadable, scratch
from migrate.git.checkout import head
from migrate.git.own import borrow
from migrate.model import Unknown

if TYPE_CHECKING:
    from migrate.cli.options import Scope
    from migrate.policies import PolicySource


def at_head(repository: Repository, asked: Scope, policies: tuple[PolicySource, ...]) -> Inventory:
    """What the branch of a bare repository holds; without a commit there is nothing to read."""
    at = head(repository.root)
    if isinstance(at, Unknown):
        return Inventory(Survey(repository.id), {}, (Unreadable(PurePosixPath("HEAD"), at.why),))
    with scratch() as folder:
        commit = AtCommit(borrow(repository.root, folder), at.value.commit)
        return at_commit(repository, commit, asked, commit, policies)


def at_commit(
    repository: Repository,
    commit: AtCommit,
    asked: Scope,
    trusted: AtCommit,
    policies: tuple[PolicySource, ...] = (),
) -> Inventory:
    """What a commit holds. What the repository says of itself is read from `trusted`."""
    said = told(trusted, repository.id, asked.operator)
    narrowing = asked.narrowing.without(said.exclude)
    items = commit.items(interest(policies))
    kept = (item for item in items if not excluded(narrowing, repository, item))
    return take(repository.id, kept, commit, said, policies)
