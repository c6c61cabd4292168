"""What git says of the repositories that were read."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import PurePosixPath

from migrate.campaign.reading.inventory import Inventory
from migrate.cli.gather import Gathered
from migrate.files import Repository
from migrate.model import Fact, Known, Unknown
from migrate.report import Checkout


def checkouts(gathered: Gathered) -> Iterator[Checkout]:
    """Each repository with its branch and commit, and whether what was read differs, as far as git says."""
    for repository, inventory in zip(gathered.repositories, gathered.inventories, strict=True):
        yield _checkout(repository, inventory) if repository.git else Checkout(repository.id)


def _checkout(repository: Repository, inventory: Inventory) -> Checkout:
    from migrate.git.checkout import branch_tip, differing, head  # noqa: PLC0415  a plain folder asks no git

    if repository.branch:
        tip = branch_tip(repository.root, repository.branch)
        commit = tip.value if isinstance(tip, Known) else None
        return Checkout(repository.id, repository.branch, commit, dirty=False)
    at = head(repository.root)
    if not isinstance(at, Known):
        return Checkout(repository.id)
    if repository.bare:  # its files are those of the commit
        return Checkout(repository.id, at.value.branch, at.value.commit, dirty=False)
    read = {path: source.text.encode() for path, source in inventory.sources.items()}
    changed = differing(repository.root, at.value.commit, read)
    dirty = bool(changed.value) if isinstance(changed, Known) else None
    return Checkout(repository.id, at.value.branch, at.value.commit, dirty)


def uncommitted(repository: Repository, inventory: Inventory) -> Fact[PurePosixPath | None]:
    """The first file that what is judged here depends on and that is not as it is committed; None: none is.

    A file that git ignores is never committed.
    """
    from migrate.git.checkout import differing, head, ignored  # noqa: PLC0415  as above

    if repository.bare or repository.branch or not repository.git:
        return Known(None)
    survey, sources = inventory.survey, inventory.sources
    found = (survey.sites, survey.pins, survey.runs, inventory.policies)
    judged = {one.path for kind in found for one in kind}
    at, local = head(repository.root), ignored(repository.root, judged)
    if isinstance(at, Unknown):
        return at
    if isinstance(local, Unknown):
        return local
    read = {path: sources[path].text.encode() for path in judged - local.value}
    changed = differing(repository.root, at.value.commit, read)
    return changed if isinstance(changed, Unknown) else Known(min(changed.value, default=None))
