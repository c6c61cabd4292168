"""Which files git ignores: they are no source, so no edit of them is offered."""

from __future__ import annotations

from pathlib import PurePosixPath

from migrate.cli.gather import Gathered
from migrate.git.checkout import ignored
from migrate.model import Fact, RepoId


def ignored_files(gathered: Gathered) -> dict[RepoId, Fact[frozenset[PurePosixPath]]]:
    """Of the files that were read, those that git ignores; unknown where it does not say."""
    return {
        repository.id: ignored(repository.root, inventory.sources)
        for repository, inventory in zip(gathered.repositories, gathered.inventories, strict=True)
        if repository.git and not repository.bare
    }
