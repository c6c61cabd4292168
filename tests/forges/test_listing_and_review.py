"""Lists, reviews, checks and ends of proposals, as each forge has them."""

from __future__ import annotations

from typing import Literal

import pytest

from migrate.errors import RelockError
from migrate.forges import Review
from migrate.model import Check, Outcome, Proposal, ProposalState
from tests.forge_server import Answer, Fault, Pull, Tree
from tests.forges.sites import BRANCH, Site
from tests.forges.test_hosts import Open, forge, named
from tests.github import fake as github
from tests.gitlab import fake as gitlab

__all__ = ["forge", "named"]


def fill(forge: Site) -> None:
    """Beside `acme/net` three more repositories of its owner, and one of another."""
    folder = forge.hub.bare.folder
    for name in ("acme/app", "acme/old", "other/net"):
        forge.hub.bare.create(name, folder / "acme/net.git")
    forge.hub.bare.create("acme/void")
    forge.hub.archived.add("acme/old")
    forge.hub.forks.update({"acme/app", "acme/old"})


def listed(forge: Site, kind: Literal["group", "search"], of: str) -> dict[str, str]:
    """By name, why each repository that is listed is left out."""
    found = {one.repo: one for one in forge.client().repositories(kind, of)}
    names = {repo: repo.removeprefix(forge.repo.removesuffix("acme/net")) for repo in found}
    assert [one.url for one in found.values()] == [f"{forge.url}/{name}.git" for name in names.values()]
    return {names[repo]: one.left for repo, one in found.items()}


def proposed(forge: Site) -> tuple[ProposalState, Pull]:
    seen = forge.client().open(Proposal(forge.repo, BRANCH, "main", "Lock", "Why"))
    return seen, forge.opened[0]


def test_the_repositories_of_an_owner(forge: Site) -> None:
    fill(forge)
    assert listed(forge, "group", "acme") == {
        "acme/app": "a fork",
        "acme/net": "",
        "acme/old": "archived, a fork",
        "acme/void": "empty",
    }


def test_a_group_of_gitlab_with_its_subgroups(named: Open) -> None:
    forge = named("gitlab")
    forge.hub.bare.create("acme/sub/app", forge.hub.bare.folder / "acme/net.git")
    assert listed(forge, "group", "acme") == {"acme/net": "", "acme/sub/app": ""}
    assert listed(forge, "group", "acme/sub") == {"acme/sub/app": ""}


def test_more_than_a_page(forge: Site) -> None:
    folder = forge.hub.bare.folder
    for number in range(100):
        (folder / f"acme/x{number}.git").symlink_to(folder / "acme/net.git")
    assert len(listed(forge, "group", "acme")) == 101


def test_a_search(forge: Site) -> None:
    fill(forge)
    assert listed(forge, "search", "net") == {"acme/net": "", "other/net": ""}


def test_an_owner_whom_nobody_knows(named: Open) -> None:
    with pytest.raises(RelockError, match="shows no such repository"):
        listed(named("gitea"), "group", "nobody")


@pytest.mark.parametrize(
    ("body", "why"),
    [
        ({"total_count": 1200, "incomplete_results": False, "items": []}, "finds 1200 repositories, and G"),
        ({"total_count": 2, "incomplete_results": True, "items": []}, "did not run this search to its end"),
    ],
)
def test_a_search_of_github_that_does_not_show_all(named: Open, body: object, why: str) -> None:
    forge = named("github")
    forge.hub.faults.append(Fault("GET /search", Answer(200, body)))
    with pytest.raises(RelockError, match=why):
        listed(forge, "search", "net")


@pytest.mark.parametrize(
    ("name", "said", "reviews"),
    [
        ("github", [], "none"),
        ("github", [("ada", "COMMENTED")], "none"),
        ("github", [("ada", "APPROVED")], "approved"),
        ("github", [("ada", "APPROVED"), ("kim", "CHANGES_REQUESTED")], "changes requested"),
        ("github", [("ada", "CHANGES_REQUESTED"), ("ada", "APPROVED"), ("ada", "COMMENTED")], "approved"),
        ("github", [("ada", "CHANGES_REQUESTED"), ("ada", "DISMISSED")], "none"),
        ("github", [*[("ada", "COMMENTED")] * 100, ("kim", "CHANGES_REQUESTED")], "changes requested"),
        ("gitea", [], "none"),
        ("gitea", [("ada", "COMMENT")], "none"),
        ("gitea", [("ada", "APPROVED")], "approved"),
        ("gitea", [("ada", "APPROVED"), ("kim", "REQUEST_CHANGES")], "changes requested"),
        ("gitea", [("ada", "REQUEST_CHANGES"), ("ada", "APPROVED")], "approved"),
        ("gitea", [*[("ada", "COMMENT")] * 60, ("kim", "REQUEST_CHANGES")], "changes requested"),
    ],
)
def test_what_reviewers_say(named: Open, name: str, said: list[tuple[str, str]], reviews: str) -> None:
    forge = named(name)
    seen, pull = proposed(forge)
    pull.reviews = said
    assert forge.client().review(seen).reviews == reviews


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
def test_what_pipelines_say_on_github(named: Open, runs: list[str], state: str, checks: str) -> None:
    forge = named("github")
    seen, _ = proposed(forge)
    assert isinstance(forge.hub, github.Hub)
    forge.hub.runs[seen.head] = runs
    ours = {"context": "tfrelock/gate", "state": "failure"}
    theirs = [{"context": "ci", "state": state}] if state else []
    simple = forge.hub.description.filled
    forge.hub.statuses[seen.head] = [simple("simple-commit-status", {**one}) for one in (ours, *theirs)]
    assert forge.client().review(seen).checks == checks


@pytest.mark.parametrize(
    ("states", "checks"),
    [
        ([], "none"),
        (["success"], "passed"),
        (["success", "pending"], "pending"),
        (["success", "failure", "pending"], "failed"),
        ([*["success"] * 60, "failure"], "failed"),
    ],
)
def test_what_pipelines_say_on_gitea(named: Open, states: list[str], checks: str) -> None:
    forge = named("gitea")
    seen, _ = proposed(forge)
    forge.client().mark(forge.repo, seen.head, Check(Outcome.BROKEN, "a gate"))
    told = [{"context": f"ci/{at}", "status": state, "description": ""} for at, state in enumerate(states)]
    forge.hub.statuses[seen.head] += [dict(one) for one in told]
    assert forge.client().review(seen).checks == checks


@pytest.mark.parametrize(
    ("fares", "approved", "reviews", "checks"),
    [
        ({}, False, "none", "none"),
        ({"head_pipeline": None}, True, "approved", "none"),
        ({"head_pipeline": {"status": "success"}}, True, "approved", "passed"),
        ({"head_pipeline": {"status": "running"}}, False, "none", "pending"),
        ({"head_pipeline": {"status": "failed"}}, False, "none", "failed"),
        ({"head_pipeline": {"status": "sung"}}, False, "none", "unknown"),
        ({"detailed_merge_status": "requested_changes"}, True, "changes requested", "none"),
    ],
)
def test_how_a_merge_request_fares(
    named: Open, fares: Tree, approved: bool, reviews: str, checks: str
) -> None:
    forge = named("gitlab")
    seen, _ = proposed(forge)
    assert isinstance(forge.hub, gitlab.Hub)
    forge.hub.fares = fares
    forge.hub.approved.update({"acme/net"} if approved else ())
    found = forge.client().review(seen)
    assert (found.reviews, found.checks) == (reviews, checks)


@pytest.mark.parametrize(
    ("name", "hidden", "status"),
    [("github", ("reviews", "check-runs"), 404), ("gitea", ("/reviews", "/status"), 403)],
)
def test_what_the_token_may_not_see_is_unknown(
    named: Open, name: str, hidden: tuple[str, str], status: int
) -> None:
    forge = named(name)
    seen, _ = proposed(forge)
    forge.hub.faults += [Fault(f"GET .*{what}", Answer(status, None)) for what in hidden]
    assert forge.client(checked=False).review(seen) == Review("unknown", "unknown")


@pytest.mark.parametrize("acted", [False, True])
def test_a_proposal_is_closed_with_one_comment(forge: Site, acted: bool) -> None:
    seen, pull = proposed(forge)
    comments, ends = "POST .*(?:comments|notes)$", "(?:PATCH|PUT) "
    forge.hub.faults += [Fault(comments, acted=acted), Fault(ends, acted=acted)]
    client = forge.client(checked=False)
    for _ in range(2):
        assert client.withdraw(seen, "Too early.").standing == "closed"
    assert (pull.comments, pull.state) == (["Too early."], "closed")
