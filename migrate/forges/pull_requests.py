"""Pull requests as GitHub and Gitea spell them alike: reviews, which are open, the status of a commit."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Final

from msgspec import Struct

from migrate.forges.answer import Json, Reply, number_of, plain, text, tree_of, trees_of
from migrate.forges.forge import GATE, Reviews, Underway
from migrate.forges.paging import Shown
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

    It is looked at first, since both keep each status that is set. Raises RelockError.
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


def reviews(said: Shown, votes: Callable[[Mapping[str, Json]], bool], objection: str) -> Reviews:
    """What reviewers said last, each for himself, of what `votes` takes for a review that counts.

    `objection` is the state of one that asks for changes.
    """
    if said is None:
        return "unknown"
    last = {text(tree, "user", "login"): text(tree, "state") for tree in said if votes(tree)}
    if objection in last.values():
        return "changes requested"
    return "approved" if "APPROVED" in last.values() else "none"


def underway(replies: Iterable[Reply], repo: RepoId) -> Iterator[Underway]:
    """The open ones that pages hold; a deleted fork has no repository any more. Raises RelockError."""
    for reply in replies:
        for tree in trees_of(reply, repo):
            number, here = number_of(tree, repo), text(tree, "base", "repo", "full_name")
            yield Underway(
                number=number,
                url=text(tree, "html_url"),
                branch=text(tree, "head", "ref") if text(tree, "head", "repo", "full_name") == here else "",
                base=text(tree, "base", "ref"),
                head=text(tree, "head", "sha"),
                ref=f"refs/pull/{number}/head",
            )
