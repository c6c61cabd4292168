"""What git says of the repositories that were read."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import PurePosixPath

from migrate.campaign.inventory import Inventory
from migrate.cli.gather import Gathered
from migrate.files import Repository
from migrate.git.checkout import differing, head, ignored
from migrate.model import Known, RepoId
from migrate.report import Checkout


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


def ignored_files(gathered: Gathered) -> dict[RepoId, frozenset[PurePosixPath]]:
    """Of the files with sites, those that git ignores."""
    return {
        repository.id: paths.value
        for repository, inventory in zip(gathered.repositories, gathered.inventories, strict=True)
        if repository.git
        and inventory.survey.sites
        and isinstance(paths := ignored(repository.root, {s.path for s in inventory.survey.sites}), Known)
    }
