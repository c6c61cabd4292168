"""What is GitHub's alone; requests and answers are held against GitHub's description of its API."""

from __future__ import annotations

import shutil
from contextlib import closing
from pathlib import Path
from typing import Final

import pytest
from msgspec.structs import replace

from migrate.errors import RelockError
from migrate.forges.address import token
from migrate.forges.github.login import TOKENS, Endpoints, endpoints
from migrate.forges.wire import Wire
from migrate.model import Proposal, ProposalState, RepoId
from tests.forge_server import Answer, Fault
from tests.forges.sites import BRANCH, offered
from tests.github.fixtures import Host

NET: Final = RepoId("github.com/acme/net")
OFFER: Final = Proposal(NET, BRANCH, "main", "Lock state in S3 as well as DynamoDB", "Why and how.\n")
DRAFT: Final = replace(OFFER, draft=True)
LIMIT: Final = {"message": "You have exceeded a secondary rate limit. Please wait."}


@pytest.fixture
def repo(host: Host, bare: Path) -> Host:
    shutil.copytree(bare, host.hub.folder / "acme/net.git")
    return host


def test_a_proposal_as_github_shows_it(repo: Host) -> None:
    assert offered(repo.client(), replace(OFFER, labels=("tfrelock",))) == ProposalState(
        repo=NET,
        branch=BRANCH,
        number="1",
        handle="acme/net#1",
        url="https://github.com/acme/net/pull/1",
        standing="open",
        draft=False,
        title=OFFER.title,
        body=OFFER.body,
        labels=("tfrelock",),
        head=repo.hub.commit("acme/net", BRANCH) or "",
        author="octocat",
    )


@pytest.mark.parametrize(
    ("answer", "pauses"),
    [
        (Answer(403, LIMIT, {"Retry-After": "7"}), [7.0]),
        (Answer(403, LIMIT), [60.0]),
        (Answer(429, None), [60.0]),
        (Answer(429, None, {"X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "9", "Date": "soon"}), [60.0]),
        (
            Answer(
                403,
                {"message": "API rate limit exceeded"},
                {
                    "X-RateLimit-Remaining": "0",
                    "X-RateLimit-Reset": "1767603630",
                    "Date": "Mon, 05 Jan 2026 09:00:00 GMT",
                },
            ),
            [30.0],
        ),
    ],
)
def test_each_way_of_saying_a_limit_is_waited_for(repo: Host, answer: Answer, pauses: list[float]) -> None:
    repo.hub.faults.append(Fault("POST /repos/acme/net/pulls$", answer))
    assert offered(repo.client(checked=False), OFFER).number == "1"
    assert (len(repo.hub.pulls["acme/net"]), repo.pauses) == (1, pauses)


def test_what_is_on_a_later_page_is_found(repo: Host) -> None:
    """Where GitHub does not understand `head` it lists every proposal."""
    offered(repo.client(), OFFER)
    others = [{"number": number, "head": {"label": "acme:other"}} for number in range(2, 102)]
    repo.hub.faults.append(Fault(r"pulls\?.*page=1$", Answer(200, others)))
    shown = [{"number": 1, "state": "open", "head": {"label": f"acme:{BRANCH}", "ref": BRANCH}}]
    repo.hub.faults.append(Fault(r"pulls\?.*page=2$", Answer(200, shown)))
    found = repo.client(checked=False).find(NET, BRANCH)
    assert isinstance(found, ProposalState)
    assert (found.number, found.standing) == ("1", "open")


def test_a_repository_without_drafts(repo: Host) -> None:
    repo.hub.drafts = False
    with pytest.raises(RelockError, match="Draft pull requests are not supported in this repository"):
        offered(repo.client(), DRAFT)
    assert repo.hub.pulls["acme/net"] == []


def test_a_draft_that_the_graphql_api_refuses(repo: Host) -> None:
    problem = Answer(200, {"data": None, "errors": [{"message": "No drafts in this plan."}]})
    repo.hub.faults.append(Fault("POST /graphql", problem))
    client = repo.client(checked=False)
    offered(client, OFFER)
    with pytest.raises(RelockError, match=r"No drafts in this plan\."):
        offered(client, DRAFT)


def test_a_branch_that_is_not_there(repo: Host) -> None:
    with pytest.raises(RelockError, match="head or base is invalid"):
        offered(repo.client(), replace(OFFER, branch="nowhere"))


def test_what_lies_deeper_than_owner_and_name_is_not_asked_for(repo: Host) -> None:
    with pytest.raises(RelockError, match="this repository is not on this forge"):
        repo.client().find(RepoId("github.com/acme/net/deep"), BRANCH)
    assert repo.hub.calls == []


# ── where it answers, and the token ──────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        (
            "https://github.com",
            Endpoints("github.com", "https://api.github.com"),
        ),
        (
            "https://git.acme.example/",
            Endpoints("git.acme.example", "https://git.acme.example/api", "/v3", "https://git.acme.example"),
        ),
    ],
)
def test_endpoints(url: str, expected: Endpoints) -> None:
    assert endpoints(url) == expected


def test_the_token_is_that_of_the_environment() -> None:
    assert token({"GITHUB_TOKEN": "a", "GH_TOKEN": "b"}, "GitHub", *TOKENS) == "a"
    assert token({"GITHUB_TOKEN": "", "GH_TOKEN": "b"}, "GitHub", *TOKENS) == "b"
    with pytest.raises(RelockError, match="no token for GitHub"):
        token({}, "GitHub", *TOKENS)


# ── the proxy itself ─────────────────────────────────────────────────────────────────────────────────────


def test_the_proxy_refuses_an_answer_that_is_not_githubs(repo: Host) -> None:
    """Else the tests that are held against the description would prove nothing."""
    repo.hub.faults.append(Fault("GET", Answer(200, [{"number": "one"}])))
    wire = Wire(repo.services.checked(), {"Accept": "application/json"}, sleep=_refuse)
    with closing(wire), pytest.raises(RelockError, match="no second call"):
        wire.get("/repos/acme/net/pulls")


def _refuse(_: float) -> None:
    raise RelockError("no second call", "", "")
