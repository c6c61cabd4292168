"""How a proposal fares on GitLab: what reviewers and pipelines say of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from migrate.forges.answer import Reply, text, tree_of
from migrate.forges.forge import Checks, Review, Reviews
from migrate.forges.wire import Wire

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
