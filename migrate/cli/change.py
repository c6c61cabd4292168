"""PATHs and a ref → what every repository held before a change and holds after it, from git's objects."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from migrate.campaign.auditing.guard import doubted
from migrate.campaign.reading.commit import AtCommit
from migrate.cli.gather import Gathered, joined
from migrate.cli.objects import held, lasting_scratch
from migrate.cli.options import Scope
from migrate.cli.unnamed import missing, unmatched
from migrate.cli.voice import followed, wrong
from migrate.errors import RelockError
from migrate.files import Repository
from migrate.git.checkout import resolve
from migrate.git.commits import merge_base, merged
from migrate.git.own import borrow
from migrate.model import settled


def gather_change(asked: Scope, base: str) -> tuple[Gathered, Gathered]:
    """Every repository before and after the commits since `base`, both from git's objects.

    Raises RelockError where a PATH is in no git repository or has no such commit.
    """
    repositories = asked.discovered.repositories
    old, new = [], []
    for repository in followed("reading commits:", repositories, len(repositories)):
        if not repository.git:
            raise RelockError(
                "no git repository", str(repository.root), f"tfrelock audit --base {base} CLONE"
            )
        before, after = _both(repository, base, lasting_scratch())
        old.append(held(repository, before).taken(asked, before, ()))
        new.append(held(repository, after).taken(asked, before, ()))  # a change cannot excuse itself
    base_ = joined(repositories, old, asked, ())
    changed = [doubted(one, base_.estate) for one in new]
    unnamed = (*missing(asked.discovered.missing), *unmatched(asked.narrowing.only, (*old, *changed)))
    return base_, joined(repositories, changed, asked, unnamed)


def _both(repository: Repository, base: str, folder: Path) -> tuple[AtCommit, AtCommit]:
    """The base, and what a merge into it gives: what came there since is a client beside the change. Where no
    merge can be told, the commit that HEAD parts from it at, and HEAD.
    """
    where = str(repository.root)
    at, tip = (settled(resolve(repository.root, name), where).value for name in (base, "HEAD"))
    own = borrow(repository.root, folder)
    parted = merge_base(own, at, tip) or at
    if parted != at:
        if whole := merged(own, at, tip):
            return AtCommit(own, at), AtCommit(own, whole)
        wrong(f"{where}: {_UNMERGED}")
    return AtCommit(own, parted), AtCommit(own, tip)


_UNMERGED: Final = (
    "what came to the base since HEAD parted from it is not held against this change: git merges the two "
    "from 2.38 on, where they do not conflict; merge or rebase first"
)
