"""Lists, reviews, checks and ends of proposals, held against GitHub's own description."""

from __future__ import annotations

from pathlib import Path

import pytest

from migrate.errors import RelockError
from migrate.forges import Listed, Review
from migrate.forges.github.proposals import GitHub
from migrate.model import Proposal, ProposalState, RepoId
from tests.forge_server import Answer, Fault, Pull
from tests.github.fixtures import Host
from tests.repo import make

NET = RepoId("github.com/acme/net")


@pytest.fixture
def forge(host: Host, tmp_path: Path) -> GitHub:
    """A GitHub with four repositories of two owners, and a branch to propose in one of them."""
    source = make(tmp_path / "source", {"a": ""})
    source.git("branch", "work")
    for name in ("acme/app", "acme/net", "acme/old", "other/net"):
        host.hub.create(name, source.path)
    host.hub.create("acme/void")
    host.hub.archived.add("acme/old")
    host.hub.forks.update({"acme/app", "acme/old"})
    return host.client()


def proposed(forge: GitHub, host: Host) -> tuple[ProposalState, Pull]:
    seen = forge.open(Proposal(NET, "work", "main", "Lock", "Why"))
    [pull] = host.hub.pulls["acme/net"]
    return seen, pull


def listed(name: str, host: Host, left: str = "") -> Listed:
    return Listed(RepoId(f"github.com/{name}"), f"{host.services.direct}/{name}.git", left)


def test_an_organisation(forge: GitHub, host: Host) -> None:
    assert list(forge.repositories("group", "acme")) == [
        listed("acme/app", host, "a fork"),
        listed("acme/net", host),
        listed("acme/old", host, "archived, a fork"),
        listed("acme/void", host, "empty"),
    ]


def test_more_than_a_page(forge: GitHub, host: Host) -> None:
    for number in range(100):
        (host.hub.folder / f"acme/x{number}.git").symlink_to(host.hub.folder / "acme/net.git")
    found = list(forge.repositories("group", "acme"))
    assert len(found) == len({one.repo for one in found}) == 104


def test_a_search(forge: GitHub, host: Host) -> None:
    assert [one.repo for one in forge.repositories("search", "net")] == [NET, "github.com/other/net"]


@pytest.mark.parametrize(
    ("body", "why"),
    [
        ({"total_count": 1200, "incomplete_results": False, "items": []}, "finds 1200 repositories, and G"),
        ({"total_count": 2, "incomplete_results": True, "items": []}, "did not run this search to its end"),
    ],
)
def test_a_search_that_does_not_show_all(forge: GitHub, host: Host, body: object, why: str) -> None:
    host.hub.faults.append(Fault("GET /search", Answer(200, body)))
    with pytest.raises(RelockError, match=why):
        list(forge.repositories("search", "net"))


@pytest.mark.parametrize(
    ("said", "reviews"),
    [
        ([], "none"),
        ([("ada", "COMMENTED")], "none"),
        ([("ada", "APPROVED")], "approved"),
        ([("ada", "APPROVED"), ("kim", "CHANGES_REQUESTED")], "changes requested"),
        ([("ada", "CHANGES_REQUESTED"), ("ada", "APPROVED"), ("ada", "COMMENTED")], "approved"),
        ([("ada", "CHANGES_REQUESTED"), ("ada", "DISMISSED")], "none"),
        ([*[("ada", "COMMENTED")] * 100, ("kim", "CHANGES_REQUESTED")], "changes requested"),
    ],
)
def test_reviews(forge: GitHub, host: Host, said: list[tuple[str, str]], reviews: str) -> None:
    seen, pull = proposed(forge, host)
    pull.reviews = said
    assert forge.review(seen).reviews == reviews


@pytest.mark.parametrize(
    ("runs", "state", "checks"),
    [
        ([], "", "none"),
        (["success", "skipped"], "", "passed"),
        (["success", ""], "", "pending"),
        (["", "failure"], "", "failed"),
        ([], "success", "passed"),
        (["success"], "pending", "pending"),
        (["success"], "error", "failed"),
        ([*["success"] * 100, "failure"], "", "failed"),
    ],
)
def test_checks(forge: GitHub, host: Host, runs: list[str], state: str, checks: str) -> None:
    seen, _ = proposed(forge, host)
    host.hub.runs[seen.head] = runs
    ours = {"context": "tfrelock/gate", "state": "failure"}
    theirs = [{"context": "ci", "state": state}] if state else []
    simple = host.hub.description.filled
    host.hub.statuses[seen.head] = [simple("simple-commit-status", {**one}) for one in (ours, *theirs)]
    assert forge.review(seen).checks == checks


def test_what_the_token_may_not_see_is_unknown(host: Host, forge: GitHub) -> None:
    seen, _ = proposed(forge, host)
    host.hub.faults += [
        Fault("GET .*reviews", Answer(404, None)),
        Fault("GET .*check-runs", Answer(404, None)),
    ]
    assert host.client(checked=False).review(seen) == Review("unknown", "unknown")


@pytest.mark.parametrize("acted", [False, True])
def test_a_proposal_is_closed_with_one_comment(forge: GitHub, host: Host, acted: bool) -> None:
    seen, pull = proposed(forge, host)
    host.hub.faults += [Fault("POST .*comments", acted=acted), Fault("PATCH", acted=acted)]
    unchecked = host.client(checked=False)
    assert unchecked.withdraw(seen, "Too early.").standing == "closed"
    assert unchecked.withdraw(seen, "Too early.").standing == "closed"
    assert (pull.comments, pull.state) == (["Too early."], "closed")
