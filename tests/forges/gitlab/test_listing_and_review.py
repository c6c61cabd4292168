"""GitLab's groups, how a merge request fares, and its end."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec import Struct

from migrate.forges import Listed
from migrate.forges.address import Address
from migrate.forges.gitlab import connect
from migrate.forges.gitlab.proposals import GitLab
from migrate.model import Proposal, ProposalState, RepoId
from tests.forge_server import Fault, Tree, serving
from tests.gitlab import fake
from tests.repo import make

NET = RepoId("127.0.0.1/acme/net")


class Site(Struct):
    """A GitLab with two projects of a group and one of its subgroup, and our client of it."""

    hub: fake.Hub
    url: str
    forge: GitLab

    def proposed(self) -> ProposalState:
        return self.forge.open(Proposal(NET, "work", "main", "Lock", "Why"))


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    hub = fake.Hub(tmp_path / "hub")
    source = make(tmp_path / "source", {"a": ""})
    source.git("branch", "work")
    for name in ("acme/net", "acme/old", "acme/sub/app", "other/net"):
        hub.bare.create(name, source.path)
    hub.bare.create("acme/void")
    hub.archived.add("acme/old")
    hub.forks.add("acme/old")
    with serving(hub) as (_, url):
        forge = connect(Address(url), fake.TOKEN, sleep=lambda _: None)
        yield Site(hub, url, forge)
        forge.close()


def listed(site: Site, name: str, left: str = "") -> Listed:
    return Listed(RepoId(f"127.0.0.1/{name}"), f"{site.url}/{name}.git", left)


def test_a_group_with_its_subgroups(site: Site) -> None:
    assert list(site.forge.repositories("group", "acme")) == [
        listed(site, "acme/net"),
        listed(site, "acme/old", "archived, a fork"),
        listed(site, "acme/sub/app"),
        listed(site, "acme/void", "empty"),
    ]
    assert list(site.forge.repositories("group", "acme/sub")) == [listed(site, "acme/sub/app")]


def test_more_than_a_page(site: Site) -> None:
    for number in range(100):
        (site.hub.folder / f"acme/x{number}.git").symlink_to(site.hub.folder / "acme/net.git")
    assert len({one.repo for one in site.forge.repositories("group", "acme")}) == 104


def test_a_search(site: Site) -> None:
    assert [one.repo for one in site.forge.repositories("search", "net")] == [NET, "127.0.0.1/other/net"]


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
    site: Site, fares: Tree, approved: bool, reviews: str, checks: str
) -> None:
    seen = site.proposed()
    site.hub.fares = fares
    site.hub.approved.update({"acme/net"} if approved else ())
    found = site.forge.review(seen)
    assert (found.reviews, found.checks) == (reviews, checks)


@pytest.mark.parametrize("acted", [False, True])
def test_a_merge_request_is_closed_with_one_comment(site: Site, acted: bool) -> None:
    seen = site.proposed()
    site.hub.faults += [Fault("POST .*notes", acted=acted), Fault("PUT", acted=acted)]
    assert site.forge.withdraw(seen, "Too early.").standing == "closed"
    assert site.forge.withdraw(seen, "Too early.").standing == "closed"
    [pull] = site.hub.pulls["acme/net"]
    assert (pull.comments, pull.state) == (["Too early."], "closed")
