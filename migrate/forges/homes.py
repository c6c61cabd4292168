"""Where the branches of a repository are pushed, as a forge shows the repository itself."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeAlias

from migrate.forges.address import Address
from migrate.forges.answer import Json, Reply, text, tree_of, unseen
from migrate.forges.forge import Home
from migrate.model import RepoId, Unknown

MayPush: TypeAlias = Callable[[Mapping[str, Json]], bool]


def may_push(tree: Mapping[str, Json]) -> bool:
    """What GitHub and Gitea say of the token; where they do not say it, the push will."""
    rights = tree.get("permissions")
    return not isinstance(rights, dict) or rights.get("push") is True


def home(
    reply: Reply, forge: str, repo: RepoId, where: Address, token: str, may_push: MayPush = may_push
) -> Home | Unknown:
    """The home of `repo` under the name that it has now: git, with `token`, follows no redirect to it.

    Unknown where `forge` does not show it. Raises RelockError.
    """
    if hidden := unseen(reply, forge, repo):
        return hidden
    tree = tree_of(reply, repo)
    name = text(tree, "full_name") or text(tree, "path_with_namespace")
    return Home(
        url=where.git(RepoId(f"{where.prefix}{name}")),
        base=text(tree, "default_branch"),
        archived=tree.get("archived") is True,
        may_push=may_push(tree),
        token=token,
    )
