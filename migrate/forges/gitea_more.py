"""What a campaign asks of Gitea beside proposals: which repositories there are, and how a proposal fares."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from migrate.forges.address import Address
from migrate.forges.answer import Json, Reply, text, tree_of, trees_of
from migrate.forges.forge import Checks, Listed, Review, Reviews
from migrate.model import RepoId

_FAILED: Final = frozenset({"failure", "error", "warning"})


def listed(where: Address, pages: Iterable[Reply], of: str) -> Iterator[Listed]:
    """The repositories of an organisation, or what a search finds. Raises RelockError."""
    for page in pages:
        found = page.body.get("data") if isinstance(page.body, dict) and page.status == 200 else None
        trees = [tree for tree in found if isinstance(tree, dict)] if isinstance(found, list) else None
        yield from (_listed(where, tree) for tree in (trees_of(page, of) if trees is None else trees))


def _listed(where: Address, tree: Mapping[str, Json]) -> Listed:
    repo = RepoId(f"{where.prefix}{text(tree, 'full_name')}")
    named = {"archived": "archived", "fork": "a fork", "empty": "empty", "mirror": "a mirror"}
    return Listed(
        repo, where.git(repo), ", ".join(why for key, why in named.items() if tree.get(key) is True)
    )


def review(reviews: Reply, status: Reply) -> Review:
    """What reviewers said last, each for himself, and what pipelines say of the commit."""
    return Review(_reviews(reviews), _checks(status))


def _reviews(reply: Reply) -> Reviews:
    if reply.status != 200:
        return "unknown"
    votes = (tree for tree in trees_of(reply, "") if tree.get("dismissed") is not True)
    last = {text(tree, "user", "login"): text(tree, "state") for tree in votes if _votes(tree)}
    if "REQUEST_CHANGES" in last.values():
        return "changes requested"
    return "approved" if "APPROVED" in last.values() else "none"


def _votes(tree: Mapping[str, Json]) -> bool:
    return text(tree, "state") in ("APPROVED", "REQUEST_CHANGES")


def _checks(reply: Reply) -> Checks:
    """Our own status is about gates, and no pipeline's."""
    if reply.status != 200:
        return "unknown"
    listed_ = tree_of(reply, "").get("statuses")
    said = [
        text(one, "status")
        for one in (listed_ if isinstance(listed_, list) else [])
        if not text(one, "context").startswith("tfrelock/")
    ]
    if not said:
        return "none"
    if _FAILED & set(said):
        return "failed"
    return "passed" if set(said) <= {"success", "skipped"} else "pending"
