"""PATHs, globs and branches that name nothing: each is said on stderr, and the exit code tells."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from migrate.campaign.reading.inventory import Inventory
from migrate.campaign.reading.narrowing import Narrowing
from migrate.cli.exits import Exit
from migrate.cli.voice import wrong
from migrate.files import Repository, printable
from migrate.model import Known


def missing(paths: Sequence[str]) -> Iterator[Exit]:
    """The code that PATHs call for which are not there."""
    for path in paths:
        wrong(f"tfrelock: {printable(path)}: no such file or directory")
        yield Exit.NOTHING


def unmatched(only: Sequence[str], inventories: Sequence[Inventory]) -> Iterator[Exit]:
    """The code that each glob of `--only` calls for which matches nothing that was found."""
    for glob in only:
        alone = Narrowing(only=(glob,))
        if not any(_named(alone, inventory) for inventory in inventories):
            wrong(f"tfrelock: --only {printable(glob)}: nothing that was found matches it")
            yield Exit.NOTHING


def unheld(branches: Sequence[str], repositories: Sequence[Repository]) -> Iterator[Exit]:
    """The code that each `--base-branch` calls for that no repository has: a client would be overlooked.

    `repositories` holds their other branches that were read as well.
    """
    read = {repository.branch for repository in repositories}
    for name in branches:
        if name not in read and not any(_stands_at(name, one) for one in repositories if one.git):
            wrong(
                f"tfrelock: --base-branch {printable(name)}: no repository here has it: git fetch, or mend it"
            )
            yield Exit.NOTHING


def _stands_at(branch: str, repository: Repository) -> bool:
    from migrate.git.checkout import head  # noqa: PLC0415  without the option git is not asked

    at = head(repository.root)
    return isinstance(at, Known) and at.value.branch == branch


def _named(narrowing: Narrowing, inventory: Inventory) -> bool:
    survey = inventory.survey
    paths = {site.path for site in survey.sites} | {pin.path for pin in survey.pins}
    paths |= {definition.path for definition in survey.definitions}
    paths |= {mention.where.path for mention in survey.mentions}
    paths |= {policy.path for policy in inventory.policies}
    return any(narrowing.takes(survey.repo, path) for path in paths)
