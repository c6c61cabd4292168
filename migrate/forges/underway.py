"""Open proposals, whoever made them, as GitHub and Gitea list them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from migrate.forges.answer import Reply, number_of, text, trees_of
from migrate.forges.forge import Underway
from migrate.model import RepoId


def underway(replies: Iterable[Reply], repo: RepoId) -> Iterator[Underway]:
    """Those that pages hold. Of a deleted fork there is no repository any more. Raises RelockError."""
    for reply in replies:
        for tree in trees_of(reply, repo):
            number, here = number_of(tree, repo), text(tree, "base", "repo", "full_name")
            yield Underway(
                number=number,
                url=text(tree, "html_url"),
                branch=text(tree, "head", "ref") if text(tree, "head", "repo", "full_name") == here else "",
                base=text(tree, "base", "ref"),
                head=text(tree, "head", "sha"),
                ref=f"refs/pull/{number}/head",
            )
