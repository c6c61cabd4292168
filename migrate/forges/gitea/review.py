"""Reviews of a proposal on Gitea: who may be asked for one, what reviewers and pipelines say of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from migrate.forges.answer import Json, text, trees_of
from migrate.forges.forge import Checks, Review
from migrate.forges.paging import Shown
from migrate.forges.pull_requests import reviews
from migrate.forges.wire import Wire

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


def may_review(wire: Wire, path: str, owners: Sequence[str]) -> list[str]:
    """Those of `owners` who may be asked; one other would refuse the whole proposal. Nobody reviews his own.

    Where it does not show who may, none are: from Gitea 1.21 and Forgejo 7 on it asks owners by itself.
    """
    if not owners:
        return []
    may, me = wire.get(f"{path}/reviewers"), wire.get("/user")
    if may.status != 200 or me.status != 200:
        return []
    known = {text(tree, "login").lower() for tree in trees_of(may, path)} - {text(me.body, "login").lower()}
    return [name for name in owners if name.lower() in known]
