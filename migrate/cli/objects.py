"""What repositories hold at a commit, read from git's objects: no work tree is needed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Final

import click
from msgspec import Struct
from msgspec.structs import replace

from migrate.campaign.reading.commit import AtCommit
from migrate.campaign.reading.inventory import Inventory, take
from migrate.campaign.reading.one_file import interest
from migrate.cli.jobs import side_by_side
from migrate.cli.trust import told
from migrate.config import NAME
from migrate.errors import RelockError
from migrate.estate import Survey
from migrate.files import Item, Left, Opened, Repository, Unreadable, follow, printable, scratch
from migrate.git.checkout import branch_tip, head, sparse
from migrate.git.own import borrow
from migrate.model import Known, Place, Problem, RepoId, Unknown

if TYPE_CHECKING:
    from migrate.cli.options import Scope
    from migrate.policies import PolicySource

_JOBS: Final = 4


class Held(Struct, frozen=True):
    """One repository at one commit, with those of its files that are looked at."""

    repository: Repository
    commit: AtCommit
    items: Sequence[Item]

    def taken(self, asked: Scope, trusted: AtCommit, policies: tuple[PolicySource, ...]) -> Inventory:
        """Its inventory. What the repository says of itself is read from `trusted`."""
        said = told(trusted, self.repository.id, asked.operator, asked.exclude)
        return take(self.repository.id, self.items, self.commit, said, policies)


def held(repository: Repository, commit: AtCommit, policies: tuple[PolicySource, ...] = ()) -> Held:
    """A repository at a commit, with the files that a survey looks at, and one of these kinds of policies."""
    return Held(repository, commit, list(commit.items(interest(policies))))


def lasting_scratch() -> Path:
    """An empty folder that stays until the command ends: an inventory may be asked for more of its files."""
    return click.get_current_context().with_resource(scratch())


def bare(
    repositories: Sequence[Repository], asked: Scope, policies: tuple[PolicySource, ...]
) -> Iterator[Inventory]:
    """What the branch of each bare repository holds; git is asked side by side, plugs one after the other."""
    folder = lasting_scratch()

    def fetch(numbered: tuple[int, Repository]) -> Held | Inventory:
        number, repository = numbered
        return _fetched(repository, folder / str(number), policies)

    for fetched in side_by_side(_JOBS, fetch, enumerate(repositories)):
        if isinstance(fetched, Inventory):
            yield fetched
        else:
            yield fetched.taken(asked, fetched.commit, policies)


def branches(
    kept: Iterable[tuple[Repository, str]], asked: Scope, policies: tuple[PolicySource, ...]
) -> Iterator[tuple[Repository, Inventory]]:
    """What other branches of repositories hold. One that `asked` names is left out where it is not; one that
    only its repository names is a client that was not read.
    """
    for repository, name in kept:
        at, tip = head(repository.root), branch_tip(repository.root, name)
        if isinstance(at, Known) and at.value.branch == name:
            continue
        here = replace(repository, id=RepoId(f"{repository.id}@{name}"), bare=True, branch=name)
        if isinstance(tip, Known):
            commit = AtCommit(borrow(repository.root, lasting_scratch()), tip.value)
            yield here, held(here, commit, policies).taken(asked, commit, policies)
        elif name not in asked.branches:
            yield here, _absent(here, name)


def _absent(repository: Repository, branch: str) -> Inventory:
    """Of a branch that nobody has fetched."""
    file = Unreadable(PurePosixPath(NAME), f"`branches` names {printable(branch)}, which is not here", 1)
    settle = f"git fetch origin {branch}:{branch}; in a campaign: campaign add --base-branch {branch}"
    problem = Problem("unreadable", Place(repository.id, file.path, 1), file.why, settle)
    return Inventory(Survey(repository.id, closed=(problem,)), {}, (file,))


def left_out(repository: Repository, policies: tuple[PolicySource, ...]) -> Iterator[Left | Unreadable]:
    """What would be read of a checkout if git had not left it out of there."""
    out = sparse(repository.root)
    if out == Known(frozenset()):
        return
    at = head(repository.root)
    if isinstance(out, Unknown) or isinstance(at, Unknown):
        yield from (Unreadable(_GIT, one.why) for one in (out, at) if isinstance(one, Unknown))
        return
    with scratch() as folder:
        commit = AtCommit(borrow(repository.root, folder), at.value.commit)
        items = (item for item in commit.items(interest(policies)) if not isinstance(item, Opened))
        for path in (item.path for item in items if item.path in out.value):
            if follow(repository, path) is None:  # one that somebody put there was read
                yield Left(path, "sparse")


_GIT: Final = PurePosixPath(".git")


def _fetched(repository: Repository, folder: Path, policies: tuple[PolicySource, ...]) -> Held | Inventory:
    """The items of a repository; without a commit there is nothing to read."""
    folder.mkdir()
    try:
        own = borrow(repository.root, folder)
    except RelockError as error:
        return _unreadable(repository, error.what)
    if isinstance(own.head, Unknown):
        return _unreadable(repository, own.head.why)
    return held(repository, AtCommit(own, own.head.value.commit), policies)


def _unreadable(repository: Repository, why: str) -> Inventory:
    return Inventory(Survey(repository.id), {}, (Unreadable(PurePosixPath("HEAD"), why),))
