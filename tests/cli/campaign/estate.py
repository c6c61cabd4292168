"""A campaign on a GitHub of our own: its repositories, the person who leads it, the owners who merge."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from msgspec import Struct, field

from tests.cli.desk import MAY_LOCK, OLD, Capture
from tests.cli.estates import Files, Ran, facts, run
from tests.forge_server import Pull
from tests.github import fake
from tests.github.fixtures import Host
from tests.repo import Repo, make

ALL: Final = facts("callers-may-lock", "soaked", "table-known")
"""The operator states everything that source cannot show."""


Told = dict[str, object]


def net(number: int) -> Files:
    """A repository with a state of its own."""
    return {"net/main.tf": OLD.replace("net.tfstate", f"{number}.tfstate")}


class Estate(Struct):
    """`acme/*` of a hub, and a campaign over them in one file."""

    host: Host
    folder: Path
    capsys: Capture
    config: str = MAY_LOCK
    jobs: int = 2
    out: list[str] = field(default_factory=list)
    """All that was ever printed."""

    @property
    def file(self) -> Path:
        return self.folder / "locks.campaign"

    def tokens(self) -> list[str]:
        """Where the token stands in anything that was printed or kept on disk."""
        files = [file for file in self.folder.rglob("*") if file.is_file()]
        kept = [str(file) for file in files if fake.TOKEN.encode() in file.read_bytes()]
        return [*kept, *(text for text in self.out if fake.TOKEN in text)]

    def create(self, name: str, files: Files, branch: str = "main") -> Path:
        source = make(self.folder / "sources" / name, files)
        if branch != "main":
            source.git("branch", "--move", branch)
        bare = self.host.hub.create(f"acme/{name}", source.path)
        Repo(bare).git("config", "uploadpack.allowFilter", "true")
        return bare

    def run(self, *arguments: object) -> Ran:
        ran = run(self.capsys, "campaign", *arguments)
        self.out.append(ran.out + ran.err)
        return ran

    def led(self, command: str, *arguments: object) -> Ran:
        """A command that reaches the forge."""
        (self.folder / "relock.yaml").write_text(self.config)
        where = ("--forge", "github", "--forge-url", self.host.services.direct)
        told = ("--config", self.folder / "relock.yaml", "--jobs", self.jobs)
        return self.run(command, self.file, *where, *told, *arguments)

    def begun(self, *add: object) -> Estate:
        """The campaign with all repositories of the organisation in it."""
        assert self.run("init", self.file, "--name", "locks").code == 0
        where = ("--github-org", "acme", "--forge-url", self.host.services.direct)
        assert self.run("add", self.file, *(add or where)).code == 0
        return self

    def pulls(self) -> Mapping[str, list[Pull]]:
        """The proposals of each repository that has some."""
        return {name.removeprefix("acme/"): pulls for name, pulls in self.host.hub.pulls.items() if pulls}

    def merge(self, *names: str) -> None:
        """The owners merge what is open, by a commit of their own."""
        for name in names or sorted(self.pulls()):
            for pull in self.pulls()[name]:
                if pull.state == "open" and not pull.draft:
                    self._merge(Repo(self.host.hub.folder / f"acme/{name}.git"), pull)

    def _merge(self, bare: Repo, pull: Pull) -> None:
        tree = bare.git("rev-parse", f"{pull.head}^{{tree}}")
        parents = ("-p", pull.base, "-p", pull.head)
        made = bare.git("commit-tree", *parents, "-m", "Merge", tree)
        bare.git("update-ref", f"refs/heads/{pull.base}", made)
        pull.state, pull.merged = "closed", True

    def report(self) -> dict[str, Told]:
        """What `status` says of each repository, by its name."""
        told = json.loads(self.run("status", self.file, "--format", "json").out)
        return {one["id"].rpartition("/")[2]: one for one in told["repositories"]}

    def of(self, name: str, what: str) -> list[Told]:
        """The `proposals` or `states` of a repository."""
        found = self.report()[name][what]
        assert isinstance(found, list)
        return found

    def standing(self) -> dict[str, list[str]]:
        """What `status` says of the proposals of each repository that has some."""
        found: dict[str, list[str]] = {}
        for name, one in self.report().items():
            if isinstance(proposals := one["proposals"], list) and proposals:
                found[name] = [f"{p['slice']} {p['standing']}" for p in proposals]
        return found
