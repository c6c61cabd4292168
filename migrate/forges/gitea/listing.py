"""Which repositories a Gitea has."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from migrate.forges.address import Address
from migrate.forges.answer import Json, Reply, text, trees_of
from migrate.forges.forge import Listed
from migrate.model import RepoId


def listed(where: Address, pages: Iterable[Reply], of: str) -> Iterator[Listed]:
    """The repositories of an organisation, or what a search finds. Raises RelockError."""
    for page in pages:
        yield from (_listed(where, tree) for tree in trees_of(page, of, "data"))


def _listed(where: Address, tree: Mapping[str, Json]) -> Listed:
    repo = RepoId(f"{where.prefix}{text(tree, 'full_name')}")
    named = {"archived": "archived", "fork": "a fork", "empty": "empty", "mirror": "a mirror"}
    return Listed(
        repo, where.git(repo), ", ".join(why for key, why in named.items() if tree.get(key) is True)
    )
