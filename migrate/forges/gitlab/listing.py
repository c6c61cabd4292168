"""Which repositories a GitLab has."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from urllib.parse import quote

from migrate.forges.address import Address
from migrate.forges.answer import Json, text, trees_of
from migrate.forges.forge import Listed
from migrate.forges.paging import pages
from migrate.forges.wire import Wire
from migrate.model import RepoId


def projects(wire: Wire, where: Address, path: str, query: Mapping[str, str], of: str) -> Iterator[Listed]:
    """The projects that are listed at `path`. Raises RelockError."""
    for reply in pages(wire, path, query):
        yield from (_listed(where, tree) for tree in trees_of(reply, of))


def group(of: str) -> str:
    """The path of the projects of a group."""
    return f"/groups/{quote(of, safe='')}/projects"


def _listed(where: Address, tree: Mapping[str, Json]) -> Listed:
    repo = RepoId(f"{where.prefix}{text(tree, 'path_with_namespace')}")
    reasons = [
        *(["archived"] if tree.get("archived") is True else []),
        *(["a fork"] if isinstance(tree.get("forked_from_project"), dict) else []),
        *(["empty"] if tree.get("empty_repo") is True else []),
    ]
    return Listed(repo, where.git(repo), ", ".join(reasons))
