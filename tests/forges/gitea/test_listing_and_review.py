"""Lists, reviews, checks and ends of proposals on Gitea."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Final

import pytest

from migrate.errors import RelockError
from migrate.forges import Listed, Review
from migrate.forges.address import Address
from migrate.forges.gitea import connect
from migrate.forges.gitea.proposals import Gitea
from migrate.model import Check, Outcome, Proposal, ProposalState, RepoId
from tests.forge_server import Answer, Fault, serving
from tests.gitea import fake
from tests.repo import make

NET: Final = RepoId("127.0.0.1/acme/net")


class Place:
    """A Gitea with four repositories of two owners; one proposal is open in `acme/net`."""

    def __init__(self, hub: fake.Hub, client: Gitea) -> None:
        self.hub, self.client = hub, client
        self.seen: ProposalState = client.open(Proposal(NET, "work", "main", "Lock", "Why"))


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Place]:
    hub = fake.Hub(tmp_path / "hub")
    source = make(tmp_path / "source", {"a": ""})
    source.git("branch", "work")
    for name in ("acme/app", "acme/net", "acme/old", "other/net"):
        hub.bare.create(name, source.path)
    hub.bare.create("acme/void")
    hub.archived.add("acme/old")
    hub.forks.update({"acme/app", "acme/old"})
    with ExitStack() as stack:
        _, url = stack.enter_context(serving(hub))
        client = connect(Address(url), fake.TOKEN, sleep=lambda _: None)
        stack.callback(client.close)
        yield Place(hub, client)
        assert hub.mistakes == [], "against Gitea's own description of its API"


def left(found: Iterator[Listed]) -> dict[str, str]:
    listed = list(found)
    assert all(one.url.endswith(f"{one.repo.removeprefix('127.0.0.1')}.git") for one in listed)
    return {one.repo.removeprefix("127.0.0.1/"): one.left for one in listed}


def test_repositories_page_by_page(place: Place) -> None:
    assert left(place.client.repositories("group", "acme")) == {
        "acme/app": "a fork",
        "acme/net": "",
        "acme/old": "archived, a fork",
        "acme/void": "empty",
    }
    assert left(place.client.repositories("search", "net")) == {"acme/net": "", "other/net": ""}
    with pytest.raises(RelockError, match="shows no such repository"):
        list(place.client.repositories("group", "nobody"))


@pytest.mark.parametrize(
    ("reviews", "expected"),
    [
        ([], "none"),
        ([("ada", "COMMENT")], "none"),
        ([("ada", "APPROVED")], "approved"),
        ([("ada", "APPROVED"), ("grace", "REQUEST_CHANGES")], "changes requested"),
        ([("ada", "REQUEST_CHANGES"), ("ada", "APPROVED")], "approved"),
        ([*[("ada", "COMMENT")] * 60, ("grace", "REQUEST_CHANGES")], "changes requested"),
    ],
)
def test_what_reviewers_say(place: Place, reviews: list[tuple[str, str]], expected: str) -> None:
    place.hub.pulls["acme/net"][0].reviews = reviews
    assert place.client.review(place.seen).reviews == expected


@pytest.mark.parametrize(
    ("states", "expected"),
    [
        ([], "none"),
        (["success"], "passed"),
        (["success", "pending"], "pending"),
        (["success", "failure", "pending"], "failed"),
        ([*["success"] * 60, "failure"], "failed"),
    ],
)
def test_what_pipelines_say(place: Place, states: list[str], expected: str) -> None:
    place.client.mark(NET, place.seen.head, Check(Outcome.BROKEN, "a gate"))
    told = [{"context": f"ci/{at}", "status": state, "description": ""} for at, state in enumerate(states)]
    place.hub.statuses[place.seen.head] += [dict(one) for one in told]
    assert place.client.review(place.seen).checks == expected


def test_what_it_does_not_show_is_unknown(place: Place) -> None:
    place.hub.faults += [
        Fault("GET .*/reviews", Answer(403, None)),
        Fault("GET .*/status", Answer(403, None)),
    ]
    assert place.client.review(place.seen) == Review("unknown", "unknown")


@pytest.mark.parametrize("call", ["POST .*/comments$", "PATCH .*/pulls/1"])
@pytest.mark.parametrize("acted", [False, True])
def test_it_is_closed_with_one_word_why(place: Place, call: str, acted: bool) -> None:
    place.hub.faults.append(Fault(call, Answer(502, None), acted=acted))
    for _ in range(2):
        assert place.client.withdraw(place.seen, "The campaign is over.").standing == "closed"
    [pull] = place.hub.pulls["acme/net"]
    assert pull.comments == ["The campaign is over."]
