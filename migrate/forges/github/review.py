"""How a proposal fares on GitHub: what reviewers and pipelines say of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from migrate.forges.answer import Json, text
from migrate.forges.forge import Checks, Review
from migrate.forges.paging import Shown, pages, shown
from migrate.forges.reviews import reviews
from migrate.forges.wire import Wire

_FAILED: Final = frozenset(
    {"failure", "error", "cancelled", "timed_out", "action_required", "startup_failure"}
)


def review(wire: Wire, path: str, number: str, head: str) -> Review:
    """What reviewers said last, each for himself, and what pipelines say of the commit."""

    def of(what: str, key: str = "") -> Shown:
        return shown(pages(wire, f"{path}/{what}", key=key), key)

    said = of(f"pulls/{number}/reviews")
    runs, statuses = of(f"commits/{head}/check-runs", "check_runs"), of(f"commits/{head}/status", "statuses")
    return Review(reviews(said, _votes, "CHANGES_REQUESTED"), _checks(runs, statuses))


def _votes(tree: Mapping[str, Json]) -> bool:
    """A dismissed one has a state of its own here, in place of what it said."""
    return text(tree, "state") in ("APPROVED", "CHANGES_REQUESTED", "DISMISSED")


def _checks(runs: Shown, statuses: Shown) -> Checks:
    """Check runs and commit statuses together; our own status is about gates, and no pipeline's."""
    if runs is None or statuses is None:
        return "unknown"
    said = [text(run, "conclusion") or "pending" for run in runs if not _ours(run)]
    said += [text(one, "state") for one in statuses if not _ours(one)]
    if not said:
        return "none"
    if _FAILED & set(said):
        return "failed"
    return "pending" if "pending" in said else "passed"


def _ours(said: Mapping[str, Json]) -> bool:
    """A status has a context, a check run a name."""
    return (text(said, "context") or text(said, "name")).startswith("tfrelock/")
