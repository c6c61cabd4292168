"""What reviewers of a proposal said last, each for himself, as GitHub and Gitea list it."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from migrate.forges.answer import Json, text
from migrate.forges.forge import Reviews
from migrate.forges.paging import Shown


def reviews(said: Shown, votes: Callable[[Mapping[str, Json]], bool], objection: str) -> Reviews:
    """What those that are `votes` come to; `objection` is the state of one that asks for changes."""
    if said is None:
        return "unknown"
    last = {text(tree, "user", "login"): text(tree, "state") for tree in said if votes(tree)}
    if objection in last.values():
        return "changes requested"
    return "approved" if "APPROVED" in last.values() else "none"
