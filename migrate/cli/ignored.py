"""Which files git ignores: they are no source, so no edit of them is offered."""

from __future__ import annotations

from pathlib import PurePosixPath

from migrate.cli.gather import Gathered
from migrate.estate import Survey
from migrate.git.checkout import ignored
from migrate.model import Known, RepoId


def ignored_files(gathered: Gathered) -> dict[RepoId, frozenset[PurePosixPath]]:
    """Of the files with anything that an edit may change, those that git ignores."""
    return {
        repository.id: paths.value
        for repository, inventory in zip(gathered.repositories, gathered.inventories, strict=True)
        if repository.git
        and not repository.bare
        and (asked := _files(inventory.survey))
        and isinstance(paths := ignored(repository.root, asked), Known)
    }


def _files(survey: Survey) -> set[PurePosixPath]:
    return {one.path for found in (survey.sites, survey.pins, survey.runs) for one in found}
