"""Which repositories a GitHub has: those of an organisation, or what a search finds."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final, Literal

from migrate.errors import RelockError
from migrate.forges.answer import Json, Reply, text, trees_of
from migrate.forges.forge import Listed
from migrate.forges.github.login import Endpoints
from migrate.forges.paging import pages
from migrate.forges.wire import Wire
from migrate.model import RepoId

_NARROWER: Final = "narrow the query, for instance by language or topic"


def repositories(wire: Wire, where: Endpoints, kind: Literal["group", "search"], of: str) -> Iterator[Listed]:
    """Those of an organisation, or those that a search finds: GitHub shows no more than 1,000 of these."""
    asked = (f"{where.rest}/orgs/{of}/repos", {"type": "all"})
    if kind == "search":
        asked = (f"{where.rest}/search/repositories", {"q": of})
    for reply in pages(wire, *asked, key="items"):
        trees = trees_of(reply, of, "items")
        _check_whole(reply, of)
        yield from (_listed(where, tree) for tree in trees)


def _check_whole(reply: Reply, of: str) -> None:
    """Raises RelockError when a search was not run to its end, or is not shown to it."""
    body = reply.body if isinstance(reply.body, dict) else {}
    total = body.get("total_count")
    if body.get("incomplete_results") is True:
        raise RelockError("GitHub did not run this search to its end", of, _NARROWER)
    if isinstance(total, int) and total > 1000:
        raise RelockError(f"the search finds {total} repositories, and GitHub shows 1,000", of, _NARROWER)


def _listed(where: Endpoints, tree: Mapping[str, Json]) -> Listed:
    name = text(tree, "full_name")
    reasons = [
        *(["archived"] if tree.get("archived") is True else []),
        *(["disabled"] if tree.get("disabled") is True else []),
        *(["a fork"] if tree.get("fork") is True else []),
        *(["empty"] if tree.get("size") == 0 else []),
    ]
    return Listed(RepoId(f"{where.host}/{name}"), f"{where.git}/{name}.git", ", ".join(reasons))
