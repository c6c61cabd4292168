"""How a proposal fares on GitHub: what reviewers and pipelines say of it, and the word it is closed with."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from migrate.forges.answer import Json, Reply, Silence, lines, list_of, text
from migrate.forges.forge import Checks, Review, Reviews
from migrate.forges.wire import TRIES, Wire

_FAILED: Final = frozenset(
    {"failure", "error", "cancelled", "timed_out", "action_required", "startup_failure"}
)


def review(wire: Wire, path: str, number: str, head: str) -> Review:
    """What reviewers said last, each for himself, and what pipelines say of the commit."""
    said = wire.get(f"{path}/pulls/{number}/reviews", query={"per_page": "100"})
    runs = wire.get(f"{path}/commits/{head}/check-runs", query={"per_page": "100"})
    status = wire.get(f"{path}/commits/{head}/status", query={"per_page": "100"})
    return Review(_reviews(said), _checks(runs, status))


def _reviews(reply: Reply) -> Reviews:
    if reply.status != 200:
        return "unknown"
    last = {text(tree, "user", "login"): text(tree, "state") for tree in list_of(reply, "") if _votes(tree)}
    if "CHANGES_REQUESTED" in last.values():
        return "changes requested"
    return "approved" if "APPROVED" in last.values() else "none"


def _votes(tree: Mapping[str, Json]) -> bool:
    return text(tree, "state") in ("APPROVED", "CHANGES_REQUESTED", "DISMISSED")


def _checks(runs: Reply, status: Reply) -> Checks:
    """Check runs and commit statuses together; our own status is about gates, and no pipeline's."""
    if runs.status != 200 or status.status != 200:
        return "unknown"
    said = [text(r, "conclusion") or "pending" for r in list_of(runs, "", "check_runs") if not _ours(r)]
    said += [text(one, "state") for one in list_of(status, "", "statuses") if not _ours(one)]
    if not said:
        return "none"
    if _FAILED & set(said):
        return "failed"
    return "pending" if "pending" in said else "passed"


def _ours(said: Mapping[str, Json]) -> bool:
    """A status has a context, a check run a name."""
    return (text(said, "context") or text(said, "name")).startswith("tfrelock/")


def comment_once(wire: Wire, path: str, number: str, words: str) -> None:
    """Say something under a proposal, unless it stands there already. Raises RelockError."""
    where = f"{path}/issues/{number}/comments"
    for attempt in range(1, TRIES + 1):
        there = list_of(wire.get(where, query={"per_page": "100"}), path)
        if any(lines(text(tree, "body")) == lines(words) for tree in there):
            return
        answer = wire.make(where, {"body": words})
        if isinstance(answer, Reply):
            list_of(answer, path)
            return
        _again(wire, answer, attempt)


def _again(wire: Wire, answer: Silence, attempt: int) -> None:
    if attempt == TRIES:
        raise wire.silent(answer)
    wire.wait(attempt)
