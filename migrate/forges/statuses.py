"""What gates say, as a commit status: looked at first, since GitHub, and Gitea after it, keeps each."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from msgspec import Struct

from migrate.forges.answer import Json, plain, text, tree_of, trees_of
from migrate.forges.forge import GATE
from migrate.forges.wire import Wire
from migrate.model import Check, Outcome, RepoId, Unknown

_STATES: Final = {Outcome.HOLDS: "success", Outcome.UNKNOWN: "pending", Outcome.BROKEN: "failure"}


class Spelling(Struct, frozen=True):
    """How a host has them: the name under which it shows the `state` that is posted, the most characters of a
    description, how it is asked for as many as it gives at once, and the permission that a token needs.
    """

    state: str
    most: int
    many: Mapping[str, str]
    permission: str


def mark(
    wire: Wire, path: str, repo: RepoId, commit: str, check: Check, spelling: Spelling
) -> Unknown | None:
    """Show beside a commit of the repository at `path` what its gates say; Unknown where the token may not.

    Raises RelockError.
    """
    state, words = _STATES[check.outcome], plain(check.says, spelling.most)
    reply = wire.get(f"{path}/commits/{commit}/status", query=spelling.many)
    if reply.status not in (403, 404):
        route = ("context", spelling.state, "description")
        told = [tuple(text(one, key) for key in route) for one in trees_of(reply, repo, "statuses")]
        if (GATE, state, words) in told:
            return None
        wanted: Json = {"context": GATE, "state": state, "description": words}
        reply = wire.add(f"{path}/statuses/{commit}", wanted)
    if reply.status in (403, 404):
        return Unknown("the token may not set a commit status", f"give it {spelling.permission}")
    tree_of(reply, repo)
    return None
