"""How a proposal fares on Gitea: what reviewers and pipelines say of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from migrate.forges.answer import Json, Reply, text, tree_of, trees_of
from migrate.forges.forge import Checks, Review, Reviews

_FAILED: Final = frozenset({"failure", "error", "warning"})


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
