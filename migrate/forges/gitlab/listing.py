"""Which repositories a GitLab has."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final
from urllib.parse import quote

from migrate.forges.address import Address
from migrate.forges.answer import Json, text, trees_of
from migrate.forges.forge import Listed
from migrate.forges.wire import Wire
from migrate.model import RepoId

_PAGE: Final = 100


def projects(wire: Wire, where: Address, path: str, query: Mapping[str, str], of: str) -> Iterator[Listed]:
    """Page after page until one is not full. Raises RelockError."""
    number = 0
    while True:
        number += 1
        asked = {**query, "per_page": str(_PAGE), "page": str(number)}
        page = trees_of(wire.get(path, query=asked), of)
        yield from (_listed(where, tree) for tree in page)
        if len(page) < _PAGE:
            return


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
