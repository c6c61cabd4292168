"""Who is asked to review: the operator's wish and the owners of the files that change, each once."""

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
from tests.forge_server import Answer, Fault, Pull
from tests.forges.sites import offered, site
from tests.github.fixtures import Host
from tests.repo import make

Found: TypeAlias = tuple[str, Forge, dict[str, list[Pull]], RepoId]
"""A forge's name, our client, what it holds, and the id of its repository."""
OFFER: Final = Proposal(
    RepoId("127.0.0.1/acme/net"),
    *("work", "main", "Lock", "Why"),
    reviewers=("ada",),
    owners=("ada", "grace", "nobody", "octocat", "root"),
)
"""`nobody` is no user there, `octocat` and `root` are ours on GitHub and on Gitea."""
ASK: Final = "POST /repos/acme/net/pulls/1/requested_reviewers"


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
    _, client, pulls, repo = forge
    seen = offered(client, replace(OFFER, repo=repo))
    client.update(seen, replace(OFFER, repo=repo, title="Again"))
    [pull] = pulls["acme/net"]
    assert pull.asked == ["ada", "grace"]


def test_a_wish_that_cannot_be_is_said(forge: Found) -> None:
    _, client, _, repo = forge
    why = r"knows no user stranger|only be requested from collaborators|user doesn't exist: stranger"
    with pytest.raises(RelockError, match=why):
        offered(client, replace(OFFER, repo=repo, reviewers=("stranger",)))


@pytest.fixture
def hub(host: Host, tmp_path: Path) -> Host:
    """GitHub alone, where asking is a call of its own."""
    source = make(tmp_path / "source", {"a": ""})
    source.git("branch", "work")
    host.hub.create("acme/net", source.path)
    return host


def offer(**other: bool | tuple[str, ...]) -> Proposal:
    return replace(OFFER, repo=RepoId("github.com/acme/net"), **other)


def test_who_was_not_asked_is_asked_by_the_next_run(hub: Host) -> None:
    hub.hub.faults.append(Fault(ASK, Answer(404, {"message": "Not Found"})))
    forge = hub.client(checked=False)
    with pytest.raises(RelockError, match="shows no such repository"):
        offered(forge, offer())
    [pull] = hub.hub.pulls["acme/net"]
    assert pull.asked == []
    offered(forge, offer())
    assert pull.asked == ["ada", "grace"]


@pytest.mark.parametrize("acted", [False, True])
def test_after_silence_they_are_asked(hub: Host, acted: bool) -> None:
    hub.hub.faults.append(Fault(ASK, acted=acted))
    offered(hub.client(checked=False), offer(owners=()))
    assert set(hub.hub.pulls["acme/net"][0].asked) == {"ada"}


def test_teams_and_whoever_others_asked_are_asked_once(hub: Host) -> None:
    forge, wanted = hub.client(), offer(reviewers=("ada", "acme/platform"), owners=())
    seen = offered(forge, replace(wanted, reviewers=()))
    [pull] = hub.hub.pulls["acme/net"]
    pull.asked += ["grace"] * 99 + ["ada"]  # a hundred events are a page
    forge.update(seen, wanted)
    forge.update(seen, wanted)
    assert pull.asked[100:] == ["platform"]


def test_a_draft_asks_no_owner_until_it_is_ready(hub: Host) -> None:
    forge = hub.client()
    seen = offered(forge, offer(reviewers=(), draft=True))
    [pull] = hub.hub.pulls["acme/net"]
    assert pull.asked == []
    forge.update(seen, offer(reviewers=()))
    assert pull.asked == ["ada", "grace"]


def test_an_owner_is_no_path(hub: Host) -> None:
    offered(hub.client(checked=False), offer(owners=("..%2f..?x#y",), reviewers=()))
    assert hub.hub.calls[-1] == "GET /repos/acme/net/collaborators/..%252f..%3Fx%23y"
    assert hub.hub.pulls["acme/net"][0].asked == []


def test_a_gitea_that_does_not_show_who_may_review_asks_owners_itself(tmp_path: Path) -> None:
    source = make(tmp_path / "source", {"a": ""})
    source.git("branch", "work")
    source.git("clone", "--quiet", "--bare", ".", str(tmp_path / "net.git"))
    with site("gitea", tmp_path / "hub", tmp_path / "net.git") as tea:
        tea.hub.faults.append(Fault("GET /api/v1/user$", Answer(403, {"message": "token lacks read:user"})))
        offered(tea.client(), OFFER)
        assert tea.opened[0].asked == ["ada"]


def test_owners_are_users_of_the_files_that_change() -> None:
    held = {PurePosixPath("CODEOWNERS"): b"* @acme/all ops@acme.example\n/net/ @ada @grace @acme/net\n"}
    assert users(held, map(PurePosixPath, ["net/a.tf", "app/b.tf"])) == ("ada", "grace")
    assert users({}, [PurePosixPath("net/a.tf")]) == ()
