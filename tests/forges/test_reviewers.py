"""Who is asked to review: the operator's wish on every forge, owners of files where no forge asks them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path, PurePosixPath
from typing import Final, TypeAlias

import pytest
from msgspec.structs import replace

from migrate.campaign.reading.owning import users
from migrate.errors import RelockError
from migrate.forges import Host as Forge
from migrate.model import Proposal, RepoId
from tests.forge_server import Pull
from tests.forges.sites import site
from tests.github.fixtures import Host
from tests.repo import make

Found: TypeAlias = tuple[str, Forge, dict[str, list[Pull]], RepoId]
"""A forge's name, our client, what it holds, and the id of its repository."""
OFFER: Final = Proposal(
    RepoId("127.0.0.1/acme/net"),
    *("work", "main", "Lock", "Why"),
    reviewers=("ada",),
    owners=("grace", "nobody"),
)


@pytest.fixture(params=["github", "gitlab", "gitea"])
def forge(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Found]:
    source = make(tmp_path / "source", {"a": ""})
    source.git("branch", "work")
    if request.param == "github":
        host = request.getfixturevalue("host")
        assert isinstance(host, Host)
        host.hub.create("acme/net", source.path)
        yield request.param, host.client(), host.hub.pulls, RepoId("github.com/acme/net")
        return
    source.git("clone", "--quiet", "--bare", ".", str(tmp_path / "net.git"))
    with ExitStack() as stack:
        found = stack.enter_context(site(request.param, tmp_path / "hub", tmp_path / "net.git"))
        yield request.param, found.client(), found.hub.pulls, OFFER.repo


def test_they_are_asked_when_it_is_made_and_not_again(forge: Found) -> None:
    name, client, pulls, repo = forge
    seen = client.open(replace(OFFER, repo=repo))
    [pull] = pulls["acme/net"]
    assert pull.asked == (["ada", "grace"] if name == "gitlab" else ["ada"])
    pull.asked.clear()
    client.update(seen, replace(OFFER, repo=repo, title="Again"))
    assert pull.asked == []


def test_a_wish_that_cannot_be_is_said(forge: Found) -> None:
    name, client, _, repo = forge
    if name != "gitea":  # its fake takes anybody
        with pytest.raises(RelockError, match=r"knows no user stranger|only be requested from collaborators"):
            client.open(replace(OFFER, repo=repo, reviewers=("stranger",)))


def test_owners_are_users_of_the_files_that_change() -> None:
    held = {PurePosixPath("CODEOWNERS"): b"* @acme/all ops@acme.example\n/net/ @ada @grace @acme/net\n"}
    assert users(held, map(PurePosixPath, ["net/a.tf", "app/b.tf"])) == ("ada", "grace")
    assert users({}, [PurePosixPath("net/a.tf")]) == ()
