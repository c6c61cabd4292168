"""A GitHub, a GitLab and a Gitea for one specification, each with a repository that has our branch."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Final, Protocol

from msgspec import Struct, field

from migrate.forges import Forge, Host
from migrate.forges import gitea as gitea_forge
from migrate.forges import gitlab as gitlab_forge
from migrate.forges.address import Address
from migrate.model import Proposal, ProposalState, RepoId
from tests.forge_server import Bare, Fault, Pull, Tree, serving
from tests.gitea import fake as gitea
from tests.github.fixtures import Host as GitHub
from tests.gitlab import fake as gitlab

NET: Final = RepoId("127.0.0.1/acme/net")
BRANCH: Final = "tfrelock/default/prepare"


class Hub(Protocol):
    """What all fakes know."""

    pulls: dict[str, list[Pull]]
    statuses: dict[str, list[Tree]]
    renamed: dict[str, str]
    archived: set[str]
    forks: set[str]
    read_only: set[str]
    faults: list[Fault]
    calls: list[str]

    @property
    def bare(self) -> Bare: ...


class Connect(Protocol):
    """Makes our client: with another token, with less patience, or past what checks GitHub's words."""

    def __call__(self, *, key: str = ..., timeout: float = ..., checked: bool = ...) -> Host: ...


class Site(Struct, frozen=True):
    """One forge of a test. `pauses` are the seconds our client would have waited."""

    name: str
    hub: Hub
    url: str
    key: str
    client: Connect
    pauses: list[float]
    repo: RepoId = NET
    labels: list[str] = field(default_factory=list)
    """Those it keeps, where they must be made."""

    @property
    def calls(self) -> dict[str, str]:
        """Each kind of call our client makes, as a pattern."""
        return CALLS[self.name]

    @property
    def opened(self) -> list[Pull]:
        return self.hub.pulls.get("acme/net", [])

    @property
    def tip(self) -> str:
        return self.hub.bare.commit("acme/net", BRANCH) or ""

    def status(self, commit: str) -> tuple[object, object] | None:
        """What stands beside a commit now: state and words."""
        for status in self.hub.statuses.get(commit, [])[-1:]:
            return status["state" if self.name == "github" else "status"], status["description"]
        return None


_GITHUB: Final = "/repos/acme/net"
_GITLAB: Final = "/api/v4/projects/acme%2Fnet"
_GITEA: Final = "/api/v1/repos/acme/net"
CALLS: Final = {
    "github": {
        "find": f"GET {_GITHUB}/pulls\\?head=",
        "open": f"GET {_GITHUB}/pulls\\?state=open",
        "make": f"POST {_GITHUB}/pulls$",
        "write": f"PATCH {_GITHUB}/pulls/1",
        "label": f"POST {_GITHUB}/issues/1/labels",
        "draft": "POST /graphql",
        "look": f"GET {_GITHUB}/pulls/1",
        "asked": f"GET {_GITHUB}/issues/1/events",
        "ask": f"POST {_GITHUB}/pulls/1/requested_reviewers",
        "owner": f"GET {_GITHUB}/collaborators/grace",
        "see": f"GET {_GITHUB}/commits/",
        "mark": f"POST {_GITHUB}/statuses/",
    },
    "gitlab": {
        "find": f"GET {_GITLAB}/merge_requests\\?source",
        "open": f"GET {_GITLAB}/merge_requests\\?state=opened",
        "reviewer": "GET /api/v4/users\\?username=ada",
        "make": f"POST {_GITLAB}/merge_requests$",
        "write": f"PUT {_GITLAB}/merge_requests/1",
        "see": f"GET {_GITLAB}/repository/commits/",
        "mark": f"POST {_GITLAB}/statuses/",
    },
    "gitea": {
        "find": f"GET {_GITEA}/pulls\\?state=all",
        "open": f"GET {_GITEA}/pulls\\?state=open",
        "owners": f"GET {_GITEA}/reviewers",
        "own": "GET /api/v1/user$",
        "make": f"POST {_GITEA}/pulls$",
        "write": f"PATCH {_GITEA}/pulls/1",
        "label": f"POST {_GITEA}/issues/1/labels",
        "new label": f"POST {_GITEA}/labels",
        "look": f"GET {_GITEA}/pulls/1",
        "see": f"GET {_GITEA}/commits/",
        "mark": f"POST {_GITEA}/statuses/",
    },
}


def offered(client: Forge, proposal: Proposal) -> ProposalState:
    """A proposal made, or the one that is open, with all that is wished for."""
    return client.update(client.open(proposal), proposal)


def hub_of(host: GitHub, bare: Path) -> Site:
    """The GitHub of a test with the repository `acme/net`, a copy of `bare`."""
    shutil.copytree(bare, host.hub.folder / "acme/net.git")
    repo = RepoId("github.com/acme/net")
    return Site("github", host.hub, host.services.direct, host.hub.key, host.client, host.pauses, repo)


@contextmanager
def site(name: str, folder: Path, bare: Path) -> Iterator[Site]:
    """A GitLab or a Gitea with the repository `acme/net`, a copy of `bare`."""
    shutil.copytree(bare, folder / "acme/net.git")
    pauses: list[float] = []
    with ExitStack() as stack:
        if name == "gitlab":
            lab = gitlab.Hub(folder)
            _, url = stack.enter_context(serving(lab))
            connect = _connects(gitlab_forge.connect, url, lab.key, pauses, stack)
            yield Site(name, lab, url, lab.key, connect, pauses)
        else:
            tea = gitea.Hub(folder)
            _, url = stack.enter_context(serving(tea))
            connect = _connects(gitea_forge.connect, url, tea.key, pauses, stack)
            yield Site(name, tea, url, tea.key, connect, pauses, labels=tea.labels)
            assert not tea.mistakes, tea.mistakes  # against Gitea's own description of its API


class _Connect(Protocol):
    def __call__(
        self, where: Address, key: str, *, sleep: Callable[[float], None], timeout: float
    ) -> Host: ...


def _connects(connect: _Connect, url: str, token: str, pauses: list[float], stack: ExitStack) -> Connect:
    def client(*, key: str = token, timeout: float = 20.0, checked: bool = True) -> Host:
        made = connect(Address(url), key, sleep=pauses.append, timeout=timeout)
        stack.callback(made.close)
        return made

    return client
