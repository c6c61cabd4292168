"""A checkout of a repository on each of the three forges, and its proposals made by the command."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from tests.cli.desk import MAY_LOCK, OLD, Desk
from tests.cli.estates import Ran
from tests.forges.sites import Site, hub_of, site
from tests.repo import Repo, make

TOKENS: Final = {"github": "GITHUB_TOKEN", "gitlab": "GITLAB_TOKEN", "gitea": "GITEA_TOKEN"}


@pytest.fixture(params=TOKENS)
def forge(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Site]:
    """A forge with a repository, and a token for it; waiting takes no time."""
    monkeypatch.setattr(time, "sleep", lambda _: None)
    bare = tmp_path / "net.git"
    make(tmp_path / "source", {"net/main.tf": OLD}).git("clone", "--quiet", "--bare", ".", str(bare))
    Repo(bare).git("config", "http.receivepack", "true")
    if request.param == "github":
        found = hub_of(request.getfixturevalue("host"), bare)
        monkeypatch.setenv(TOKENS[found.name], found.key)
        yield found
        return
    with site(request.param, tmp_path / "hub", bare) as found:
        monkeypatch.setenv(TOKENS[found.name], found.key)
        yield found


def bare_of(forge: Site) -> Path:
    """The repository behind a forge."""
    return forge.hub.bare.folder / "acme/net.git"


@pytest.fixture
def clone(forge: Site, tmp_path: Path) -> Repo:
    """A checkout of the repository of `forge`."""
    repo = Repo(tmp_path / "net")
    Repo(tmp_path).git("clone", "--quiet", str(bare_of(forge)), str(repo.path))
    repo.git("remote", "set-url", "origin", f"{forge.url}/acme/net.git")
    return repo


def offered(desk: Desk, forge: Site, repo: Repo, url: str = "") -> Ran:
    where = ("--forge", forge.name, "--forge-url", url or forge.url)
    return desk.propose(*where, "--yes", repo.path, config=MAY_LOCK)
