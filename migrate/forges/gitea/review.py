"""How a proposal fares on Gitea: what reviewers and pipelines say of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from migrate.forges.answer import Json, text
from migrate.forges.forge import Checks, Review
from migrate.forges.paging import Shown
from migrate.forges.reviews import reviews

_FAILED: Final = frozenset({"failure", "error", "warning"})


def review(said: Shown, statuses: Shown) -> Review:
    """What reviewers said last, each for himself, and what pipelines say of the commit."""
    return Review(reviews(said, _votes, "REQUEST_CHANGES"), _checks(statuses))


def _votes(tree: Mapping[str, Json]) -> bool:
    """A dismissed one keeps its state here, and counts no more."""
    return tree.get("dismissed") is not True and text(tree, "state") in ("APPROVED", "REQUEST_CHANGES")


def _checks(statuses: Shown) -> Checks:
    """Our own status is about gates, and no pipeline's."""
    if statuses is None:
        return "unknown"
    said = {text(one, "status") for one in statuses if not text(one, "context").startswith("tfrelock/")}
    if not said:
        return "none"
    if _FAILED & said:
        return "failed"
    return "passed" if said <= {"success", "skipped"} else "pending"
