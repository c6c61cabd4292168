"""Every repository of a campaign as it is today: its branch, branches that are kept, proposals that are open.

All of one repository comes in one fetch, into a bare clone of our own that is never changed.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from migrate.cli.campaign.book import Book
from migrate.cli.reach import Reach
from migrate.errors import RelockError
from migrate.files import Repository, discover, scratch
from migrate.forges import Underway
from migrate.git.clones import clone, default_branch
from migrate.git.own import blank
from migrate.git.remote import Remote, remote, tips
from migrate.model import RepoId, settled
from migrate.progress import Entry

OURS = "refs/underway/"
"""Where the proposals of others stand in our clones, by number."""


class Fetched(Struct, frozen=True):
    """A repository, and the open proposals there that are not the campaign's. `trouble`: why it is not here,
    or not as it is today.
    """

    repo: RepoId
    repository: Repository | None = None
    underway: tuple[Underway, ...] = ()
    trouble: str = ""


def fetched(entry: Entry, book: Book, reached: Reach, prefix: str) -> Fetched:
    """A repository as it is today; where that fails, as it was when it was last fetched, and why.

    Branches that begin with `prefix` are the campaign's own.
    """
    if Path(entry.url).is_absolute():
        found = discover([entry.url]).repositories
        if found and found[0].git:
            return Fetched(entry.repo, replace(found[0], id=entry.repo, within=()))
        return Fetched(entry.repo, trouble=f"there is no repository at {entry.url} any more")
    try:
        at, branch = _home(entry, reached)
        underway = _underway(entry.repo, reached, prefix)
        root = _cloned(_There(entry.repo, at, branch, underway), book)
        return Fetched(entry.repo, _bare(entry.repo, root), underway)
    except RelockError as error:
        old, why = book.clones.any(entry.repo), str(error).replace("\n  try:", " →")
        return Fetched(entry.repo, _bare(entry.repo, old) if old else None, trouble=why)


def _bare(repo: RepoId, root: Path) -> Repository:
    return Repository(repo, root, git=True, bare=True)


def _underway(repo: RepoId, reached: Reach, prefix: str) -> tuple[Underway, ...]:
    host = reached.host
    found = host.patiently(lambda: tuple(host.inner.underway(repo))) if host is not None else ()
    return tuple(one for one in found if not one.branch.startswith((f"{prefix}/", f"{prefix}@")))


class _There(Struct, frozen=True):
    """A repository at its remote; `branch` is empty where its forge does not say which it has."""

    repo: RepoId
    at: Remote
    branch: str
    underway: tuple[Underway, ...]


def _cloned(there: _There, book: Book) -> Path:
    with scratch() as folder:
        own = blank(folder)
        branch = there.branch or default_branch(own, there.at) or ""
        wanted = dict.fromkeys([branch, *book.progress.branches])
        found = tips(own, there.at, wanted) if branch else {}
    if branch not in found:
        raise RelockError("the repository is empty", there.repo, "take it out, or wait for its first commit")
    heads = {f"refs/heads/{name}": (f"refs/heads/{name}", tip) for name, tip in found.items()}
    refs = heads | {one.ref: (f"{OURS}{one.number}", one.head) for one in there.underway}
    version = _version(refs, found[branch])
    if kept := book.clones.find(there.repo, version):
        return kept
    with book.clones.making(there.repo) as making:
        made, _ = clone(there.at, branch, making, {ref: here for ref, (here, _) in refs.items()})
        return book.clones.keep(made, there.repo, version)


def _version(refs: Mapping[str, tuple[str, str]], tip: str) -> str:
    """A name for all that a clone holds; of one branch alone that of its commit."""
    if len(refs) == 1:
        return tip
    return hashlib.sha256(repr(sorted(refs.items())).encode()).hexdigest()


def _home(entry: Entry, reached: Reach) -> tuple[Remote, str]:
    """Where it is fetched from, and its branch where its forge says that."""
    if reached.host is None:
        return remote(entry.url), ""
    home = settled(reached.host.home(entry.repo), entry.repo)
    return remote(home.url, home.token), home.base
