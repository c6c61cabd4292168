"""Reviews of a proposal on GitHub: who is asked for one, what reviewers and pipelines say of it.

To ask is a call of its own after a proposal is made, so a run may die before it; the next asks whom nobody
has asked yet. Who took the request off again, or has reviewed, is left in peace.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final
from urllib.parse import quote

from migrate.forges.answer import Json, refused, text, tree_of, trees_of
from migrate.forges.forge import Checks, Review
from migrate.forges.paging import Shown, pages, shown
from migrate.forges.pull_requests import reviews
from migrate.forges.wire import Wire
from migrate.model import Proposal, ProposalState

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


def ask(wire: Wire, path: str, seen: ProposalState, proposal: Proposal) -> None:
    """Ask whom the operator wishes, and the owners of the files once it is no draft, as GitHub itself does
    where CODEOWNERS is a part of the plan. An owner who may not review is left out.

    `path` is that of the repository in the REST API. Raises RelockError where a wish cannot be.
    """
    owners = () if proposal.draft else proposal.owners
    if not proposal.reviewers and not owners:
        return
    before = frozenset(_asked(wire, path, seen))
    _send(wire, path, seen, [name for name in proposal.reviewers if _known_as(name) not in before])
    left = [name for name in owners if name.lower() not in {*before, *map(_known_as, proposal.reviewers)}]
    _send(wire, path, seen, [name for name in left if _may_review(wire, path, seen, name)])


def _known_as(name: str) -> str:
    """How an event names whom it asked: a team without its organisation."""
    return name.rpartition("/")[2].lower()


def _asked(wire: Wire, path: str, seen: ProposalState) -> Iterator[str]:
    """Everybody who was ever asked, by whomever."""
    for page in pages(wire, f"{path}/issues/{seen.number}/events"):
        for event in trees_of(page, seen.repo):
            if text(event, "event") == "review_requested":
                yield text(event, "requested_reviewer", "login").lower()
                yield text(event, "requested_team", "slug").lower()


def _may_review(wire: Wire, path: str, seen: ProposalState, name: str) -> bool:
    """Nobody reviews his own, and none but collaborators do; one of others would refuse them all."""
    if name.lower() == seen.author.lower():
        return False
    reply = wire.get(f"{path}/collaborators/{quote(name, safe='')}")
    if reply.status not in (204, 403, 404):
        refused(reply, seen.repo)
    return reply.status == 204


def _send(wire: Wire, path: str, seen: ProposalState, names: Sequence[str]) -> None:
    people: list[Json] = [name for name in names if "/" not in name]
    teams: list[Json] = [name.partition("/")[2] for name in names if "/" in name]
    if names:
        wanted: Json = {"reviewers": people, "team_reviewers": teams}
        tree_of(wire.add(f"{path}/pulls/{seen.number}/requested_reviewers", wanted), seen.repo)
