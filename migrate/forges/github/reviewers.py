"""Who is asked to review on GitHub, each once.

That is a call of its own after a proposal is made, so a run may die before it; the next asks whom nobody has
asked yet. Who took the request off again, or has reviewed, is left in peace.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from urllib.parse import quote

from migrate.forges.answer import Json, refused, text, tree_of, trees_of
from migrate.forges.paging import pages
from migrate.forges.wire import Wire
from migrate.model import Proposal, ProposalState


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
