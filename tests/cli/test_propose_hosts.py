"""`tfrelock propose --forge gitlab` and `gitea`, against forges of our own."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli.desk import MAY_LOCK, OLD, Desk
from tests.cli.estates import Ran
from tests.forges.sites import Site, site
from tests.gitea import fake as gitea
from tests.gitlab import fake as gitlab
from tests.repo import Repo, make
from tests.secrets import MARK


@pytest.fixture(params=["gitlab", "gitea"])
def forge(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Site]:
    """A forge with a repository `acme/net`, a token for it; waiting takes no time."""
    monkeypatch.setenv("GITLAB_TOKEN", gitlab.TOKEN)
    monkeypatch.setenv("GITEA_TOKEN", gitea.TOKEN)
    monkeypatch.setattr(time, "sleep", lambda _: None)
    source = make(tmp_path / "source", {"net/main.tf": OLD})
    source.git("clone", "--quiet", "--bare", ".", str(tmp_path / "net.git"))
    Repo(tmp_path / "net.git").git("config", "http.receivepack", "true")
    with site(request.param, tmp_path / "hub", tmp_path / "net.git") as found:
        yield found


@pytest.fixture
def clone(forge: Site, tmp_path: Path) -> Repo:
    repo = Repo(tmp_path / "net")
    Repo(tmp_path).git("clone", "--quiet", str(forge.hub.bare.folder / "acme/net.git"), str(repo.path))
    repo.git("remote", "set-url", "origin", f"{forge.url}/acme/net.git")
    return repo


def offered(desk: Desk, forge: Site, repo: Repo, config: str = MAY_LOCK) -> Ran:
    return desk.propose("--forge", forge.name, "--forge-url", forge.url, "--yes", repo.path, config=config)


def test_a_proposal_with_its_check(desk: Desk, clone: Repo, forge: Site) -> None:
    first, second = offered(desk, forge, clone), offered(desk, forge, clone)
    assert (first.code, second.code) == (0, 0)
    assert " opened: Lock state in S3 as well as DynamoDB (1 file) https://" in first.out
    assert " stands: " in second.out
    [pull] = forge.opened
    assert (pull.head, pull.base) == ("tfrelock/default/prepare", "main")
    assert forge.status(forge.hub.bare.commit("acme/net", pull.head) or "") == (
        "success",
        "every gate is open",
    )
    assert MARK not in first.out + first.err + second.out + second.err


def test_what_nobody_knows_is_a_draft(desk: Desk, clone: Repo, forge: Site) -> None:
    ran = offered(desk, forge, clone, config="facts: []\n")
    assert ran.code == 0
    [draft] = [pull for pull in forge.opened if pull.head == "tfrelock/default/dual-lock"]
    words = {"gitlab": "Draft: ", "gitea": "WIP: "}
    assert draft.title == f"{words[forge.name]}Lock state in S3 as well as DynamoDB"
    assert " stands: " in offered(desk, forge, clone, config="facts: []\n").out


def test_closed_is_a_no(desk: Desk, clone: Repo, forge: Site) -> None:
    offered(desk, forge, clone)
    forge.opened[0].state = "closed"
    ran = offered(desk, forge, clone)
    assert " declined: " in ran.out
    assert len(forge.opened) == 1
