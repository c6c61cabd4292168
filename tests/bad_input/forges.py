"""The three forges of our own, each with a clone of its repository `acme/net`, for one specification."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import pytest
from msgspec import Struct

from tests.cli.desk import MAY_LOCK, OLD, Desk
from tests.cli.estates import Ran
from tests.forge_server import Fault, Pull
from tests.forges.sites import CALLS, site
from tests.github.fixtures import Host
from tests.repo import Repo, make
from tests.secrets import GITEA, GITHUB, GITLAB

TOKENS: Final = {
    "github": ("GITHUB_TOKEN", GITHUB),
    "gitlab": ("GITLAB_TOKEN", GITLAB),
    "gitea": ("GITEA_TOKEN", GITEA),
}
_GITHUB: Final = {"home": "GET /api/v3/repos/acme/net$", "make": "POST /api/v3/repos/acme/net/pulls$"}


class Forge(Struct, frozen=True):
    """One forge. `calls` are those of our client, as patterns; `bare` is the repository behind it."""

    name: str
    url: str
    calls: dict[str, str]
    faults: list[Fault]
    pulls: dict[str, list[Pull]]
    bare: Path

    def clone(self, folder: Path) -> Repo:
        Repo(folder.parent).git("clone", "--quiet", str(self.bare), str(folder))
        repo = Repo(folder)
        repo.git("remote", "set-url", "origin", f"{self.url}/acme/net.git")
        return repo

    def offered(self, desk: Desk, repo: Repo, url: str = "") -> Ran:
        where = ("--forge", self.name, "--forge-url", url or self.url)
        return desk.propose(*where, "--yes", repo.path, config=MAY_LOCK)


@pytest.fixture(params=TOKENS)
def forge(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Forge]:
    """A forge with a repository, and a token for it; waiting takes no time."""
    monkeypatch.setenv(*TOKENS[request.param])
    monkeypatch.setattr(time, "sleep", lambda _: None)
    source = make(tmp_path / "source", {"net/main.tf": OLD})
    with _begun(request, source) as found:
        yield found


@contextmanager
def _begun(request: pytest.FixtureRequest, source: Repo) -> Iterator[Forge]:
    if request.param == "github":
        host: Host = request.getfixturevalue("host")
        bare = host.hub.create("acme/net", source.path)
        yield Forge("github", host.services.direct, _GITHUB, host.hub.faults, host.hub.pulls, bare)
        return
    bare = source.path.parent / "net.git"
    source.git("clone", "--quiet", "--bare", ".", str(bare))
    Repo(bare).git("config", "http.receivepack", "true")
    with site(request.param, source.path.parent / "hub", bare) as there:
        served = there.hub.bare.folder / "acme/net.git"
        yield Forge(there.name, there.url, CALLS[there.name], there.hub.faults, there.hub.pulls, served)


@pytest.fixture
def clone(forge: Forge, tmp_path: Path) -> Repo:
    """A checkout of the repository of `forge`."""
    return forge.clone(tmp_path / "net")
