"""Where the branches of a repository are pushed, as a forge shows the repository itself."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeAlias

from migrate.forges.answer import Json, Reply, text, tree_of, unseen
from migrate.forges.forge import Home
from migrate.model import RepoId, Unknown

MayPush: TypeAlias = Callable[[Mapping[str, Json]], bool]


def may_push(tree: Mapping[str, Json]) -> bool:
    """What GitHub and Gitea say of the token; where they do not say it, the push will."""
    rights = tree.get("permissions")
    return not isinstance(rights, dict) or rights.get("push") is True


def home(
    reply: Reply, forge: str, repo: RepoId, url: str, token: str, may_push: MayPush = may_push
) -> Home | Unknown:
    """The home at `url`, which git pushes to with `token`; Unknown where `forge` does not show it."""
    if hidden := unseen(reply, forge, repo):
        return hidden
    tree = tree_of(reply, repo)
    return Home(
        url=url,
        base=text(tree, "default_branch"),
        archived=tree.get("archived") is True,
        may_push=may_push(tree),
        token=token,
    )
