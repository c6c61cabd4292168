"""A GitLab and a Gitea of our own for one specification, each with a repository that has a branch of ours."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Final, Protocol

from msgspec import Struct, field

from migrate.forges import Host
from migrate.forges import gitea as gitea_forge
from migrate.forges import gitlab as gitlab_forge
from migrate.forges.address import Address
from migrate.model import RepoId
from tests.forge_server import Bare, Fault, Pull, Tree, serving
from tests.gitea import fake as gitea
from tests.gitlab import fake as gitlab

NET: Final = RepoId("127.0.0.1/acme/net")


class Hub(Protocol):
    """What both fakes know."""

    pulls: dict[str, list[Pull]]
    labels: list[str]
    statuses: dict[str, list[Tree]]
    renamed: dict[str, str]
    archived: set[str]
    read_only: set[str]
    faults: list[Fault]
    calls: list[str]

    @property
    def bare(self) -> Bare: ...


class Site(Struct, frozen=True):
    """One forge of a test. `pauses` are the seconds our client would have waited."""

    name: str
    hub: Hub
    url: str
    calls: dict[str, str]
    """Each kind of call our client makes, as a pattern."""
    clients: ExitStack
    pauses: list[float] = field(default_factory=list)

    def client(self, *, key: str = "", timeout: float = 20.0) -> Host:
        made: Host
        if self.name == "gitlab":
            made = gitlab_forge.connect(
                Address(self.url), key or gitlab.TOKEN, sleep=self.pauses.append, timeout=timeout
            )
        else:
            made = gitea_forge.connect(
                Address(self.url), key or gitea.TOKEN, sleep=self.pauses.append, timeout=timeout
            )
        self.clients.callback(made.close)
        return made

    @property
    def opened(self) -> list[Pull]:
        return self.hub.pulls.get("acme/net", [])

    def status(self, commit: str) -> tuple[object, object] | None:
        """What stands beside a commit now: state and words."""
        listed = self.hub.statuses.get(commit, [])
        return (listed[-1]["status"], listed[-1]["description"]) if listed else None


_GITLAB: Final = "/api/v4/projects/acme%2Fnet"
_GITEA: Final = "/api/v1/repos/acme/net"
CALLS: Final = {
    "gitlab": {
        "home": f"GET {_GITLAB}$",
        "find": f"GET {_GITLAB}/merge_requests\\?",
        "make": f"POST {_GITLAB}/merge_requests$",
        "write": f"PUT {_GITLAB}/merge_requests/1",
        "see": f"GET {_GITLAB}/repository/commits/",
        "mark": f"POST {_GITLAB}/statuses/",
    },
    "gitea": {
        "home": f"GET {_GITEA}$",
        "find": f"GET {_GITEA}/pulls\\?",
        "make": f"POST {_GITEA}/pulls$",
        "write": f"PATCH {_GITEA}/pulls/1",
        "label": f"POST {_GITEA}/issues/1/labels",
        "new label": f"POST {_GITEA}/labels",
        "look": f"GET {_GITEA}/pulls/1",
        "see": f"GET {_GITEA}/commits/",
        "mark": f"POST {_GITEA}/statuses/",
    },
}


@contextmanager
def site(name: str, folder: Path, bare: Path) -> Iterator[Site]:
    """A forge with the repository `acme/net`, a copy of `bare`."""
    shutil.copytree(bare, folder / "acme/net.git")
    if name == "gitlab":
        lab = gitlab.Hub(folder)
        with serving(lab) as (_, url), ExitStack() as clients:
            yield Site(name, lab, url, CALLS[name], clients)
    else:
        tea = gitea.Hub(folder)
        with serving(tea) as (_, url), ExitStack() as clients:
            yield Site(name, tea, url, CALLS[name], clients)
