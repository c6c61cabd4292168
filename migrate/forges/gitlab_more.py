"""What a campaign asks of GitLab beside proposals: which projects there are, and how a proposal fares."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final
from urllib.parse import quote

from migrate.forges.address import Address
from migrate.forges.answer import Json, Reply, text, tree_of, trees_of
from migrate.forges.forge import Checks, Listed, Review, Reviews
from migrate.forges.wire import Wire
from migrate.model import RepoId

_PAGE: Final = 100
_CHECKS: Final[Mapping[str, Checks]] = {
    "success": "passed",
    "skipped": "passed",
    "failed": "failed",
    "canceled": "failed",
    "created": "pending",
    "waiting_for_resource": "pending",
    "preparing": "pending",
    "pending": "pending",
    "running": "pending",
    "manual": "pending",
    "scheduled": "pending",
}


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


def review(wire: Wire, path: str) -> Review:
    """What reviewers say of the merge request at `path`, and its newest pipeline."""
    approvals, request = wire.get(f"{path}/approvals"), wire.get(path)
    return Review(_reviews(approvals, request), _checks(request))


def _reviews(approvals: Reply, request: Reply) -> Reviews:
    if approvals.status != 200 or request.status != 200:
        return "unknown"
    if text(tree_of(request, ""), "detailed_merge_status") == "requested_changes":
        return "changes requested"
    return "approved" if tree_of(approvals, "").get("approved_by") else "none"


def _checks(request: Reply) -> Checks:
    if request.status != 200:
        return "unknown"
    status = text(tree_of(request, ""), "head_pipeline", "status")
    return _CHECKS.get(status, "unknown") if status else "none"
