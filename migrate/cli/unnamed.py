"""PATHs and globs that name nothing: each is said on stderr, and the exit code tells."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from migrate.campaign.reading.inventory import Inventory
from migrate.campaign.reading.narrowing import Narrowing
from migrate.cli.exits import Exit
from migrate.cli.voice import wrong
from migrate.files import printable


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


def _named(narrowing: Narrowing, inventory: Inventory) -> bool:
    survey = inventory.survey
    paths = {site.path for site in survey.sites} | {pin.path for pin in survey.pins}
    paths |= {definition.path for definition in survey.definitions}
    paths |= {mention.where.path for mention in survey.mentions}
    paths |= {policy.path for policy in inventory.policies}
    return any(narrowing.takes(survey.repo, path) for path in paths)
