"""What git says of the repositories that were read."""

from __future__ import annotations

from collections.abc import Iterator

from migrate.campaign.reading.inventory import Inventory
from migrate.cli.gather import Gathered
from migrate.files import Repository
from migrate.model import Fact, Known
from migrate.report import Checkout


def checkouts(gathered: Gathered) -> Iterator[Checkout]:
    """Each repository with its branch and commit, and whether what was read differs, as far as git says."""
    for repository, inventory in gathered.pairs:
        yield _checkout(repository, inventory) if repository.git else Checkout(repository.id)


def _checkout(repository: Repository, inventory: Inventory) -> Checkout:
    from migrate.git.checkout import branch_tip, differing, head, lacking  # noqa: PLC0415  a plain folder asks no git

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
    if dirty is False:  # what is not here may have been anything
        gone = lacking(repository.root, at.value.commit)
        dirty = gone.value if isinstance(gone, Known) else None
    return Checkout(repository.id, at.value.branch, at.value.commit, dirty)


def commit_of(repository: Repository) -> Fact[str]:
    """The commit that is looked at: of what is checked out, or of the branch that is meant."""
    from migrate.git.checkout import branch_tip, head  # noqa: PLC0415  as above

    if repository.branch:
        return branch_tip(repository.root, repository.branch)
    at = head(repository.root)
    return Known(at.value.commit) if isinstance(at, Known) else at
