"""A campaign on a GitHub of our own that can be put back to where it was, and what is true at every stop."""

from __future__ import annotations

import json
import shutil
from collections import Counter
from collections.abc import Mapping, Sequence
from copy import deepcopy
from pathlib import Path
from typing import Final

from msgspec import Struct

from tests.cli.estates import Files, facts
from tests.forge_server import Pull
from tests.github import fake
from tests.kills.runs import Done, Runs
from tests.repo import ENVIRONMENT, Repo, make

ALL: Final = facts("callers-may-lock", "soaked", "table-known") + "proposals: {reviewers: [ada]}\n"
PERSON: Final = "[user]\n\tname = Ada Acme\n\temail = ada@acme.example\n"


class Kept(Struct, frozen=True):
    """Where a world was: its folders, and what the forge held."""

    folder: Path
    pulls: dict[str, list[Pull]]


class World:
    """`folder/now` is all that runs change on disk: the file, its clones, the bare repositories."""

    def __init__(self, folder: Path, hub: fake.Hub, url: str, runs: Runs, jobs: int = 1) -> None:
        self.folder = folder
        self.now = folder / "now"
        self.hub = hub
        self.url = url
        self.runs = runs
        self.jobs = jobs
        self.printed: list[str] = []
        hub.folder = self.now / "hub"
        (folder / "relock.yaml").write_text(ALL)

    @property
    def file(self) -> Path:
        return self.now / "locks.campaign"

    def create(self, name: str, files: Files, branch: str = "main") -> Repo:
        source = make(self.folder / "sources" / name, files)
        source.git("branch", "--move", branch) if branch != "main" else None
        return Repo(self.hub.create(f"acme/{name}", source.path))

    def begin(self) -> None:
        assert self._run("init", self.file, "--name", "locks").code == 0
        done = self._run("add", self.file, "--github-org", "acme", "--forge-url", self.url)
        assert done.code == 0, done.out

    def led(self, command: Sequence[str], die_after: int = 0) -> Done:
        where = ("--forge", "github", "--forge-url", self.url, "--config", self.folder / "relock.yaml")
        name, *flags = command
        return self._run(name, self.file, *where, "--jobs", self.jobs, *flags, die_after=die_after)

    def _run(self, *arguments: object, die_after: int | None = None) -> Done:
        done = self.runs("campaign", *arguments, die_after=die_after)
        self.printed.append(done.out)
        return done

    def keep(self, name: str) -> Kept:
        shutil.copytree(self.now, self.folder / name)
        return Kept(self.folder / name, deepcopy(self.hub.pulls))

    def back_to(self, kept: Kept) -> None:
        shutil.rmtree(self.now)
        shutil.copytree(kept.folder, self.now)
        self.hub.pulls = deepcopy(kept.pulls)

    def bare(self, name: str) -> Repo:
        return Repo(self.now / f"hub/acme/{name}.git")

    def merge(self) -> None:
        """Every owner merges what is open and no draft."""
        for repo, pulls in self.hub.pulls.items():
            for pull in pulls:
                if pull.state == "open" and not pull.draft:
                    bare = self.bare(repo.removeprefix("acme/"))
                    tree = bare.git("rev-parse", f"{pull.head}^{{tree}}")
                    made = bare.git("commit-tree", "-p", pull.base, "-p", pull.head, "-m", "Merge", tree)
                    bare.git("update-ref", f"refs/heads/{pull.base}", made)
                    pull.state, pull.merged = "closed", True

    # ── what must be true ────────────────────────────────────────────────────────────────────────────────

    def report(self) -> Mapping[str, Mapping[str, object]]:
        done = self._run("status", self.file, "--format", "json")
        assert done.code == 0, done.out
        told = json.loads(done.out)
        return {one["id"].partition("/")[2]: one for one in told["repositories"]}

    def check_stop(self) -> Mapping[str, Mapping[str, object]]:
        """Whatever `status` says is so, and what it does not know of was interrupted. Gives what it says."""
        report = self.report()
        for name, one in report.items():
            pulls = {str(pull.number): pull for pull in self.hub.pulls.get(name, [])}
            proposals = one["proposals"]
            assert isinstance(proposals, list)
            known = {p["number"]: p for p in proposals if p["number"]}
            assert known.keys() <= pulls.keys(), (name, "a proposal that nobody made", known)
            for number, proposal in known.items():
                standing = _standing(pulls[number])
                assert proposal["standing"] in (standing, "open"), (name, standing, proposal)
            if pulls.keys() - known.keys():
                assert one["interrupted"], (name, "a proposal that nobody noted")
        return report

    def check_end(self) -> None:
        """One proposal for each slice, each commit and each reviewer once, and `status` says just that."""
        report = self.check_stop()
        for name, pulls in self.hub.pulls.items():
            heads = Counter(pull.head for pull in pulls)
            assert set(heads.values()) <= {1}, (name, heads)
            assert not report[name]["interrupted"], name
            proposals = report[name]["proposals"]
            assert isinstance(proposals, list)
            told = {p["number"]: p["standing"] for p in proposals if p["number"]}
            assert told == {str(pull.number): _standing(pull) for pull in pulls}, (name, told)
            for pull in pulls:
                assert pull.asked == ["ada"], (name, "a reviewer asked not once", pull.asked)
                self._check_commits(name, pull)

    def _check_commits(self, name: str, pull: Pull) -> None:
        bare = self.bare(name.removeprefix("acme/"))
        start = bare.git("rev-list", "--max-parents=0", pull.base)
        listed = bare.git("log", "--no-merges", "--format=%s", pull.head, f"^{start}").splitlines()
        ours = [subject for subject in listed if subject != "Theirs"]
        assert ours, (name, "no commit")
        assert len(ours) == len(set(ours)), (name, "a commit twice", ours)


def _standing(pull: Pull) -> str:
    return "merged" if pull.merged else pull.state


def environment(folder: Path) -> Mapping[str, str]:
    """A person's own, with a token."""
    (folder / "gitconfig").write_text(PERSON)
    kept = {name: value for name, value in ENVIRONMENT.items() if name.startswith("GIT_CONFIG")}
    return {**kept, "GIT_CONFIG_GLOBAL": str(folder / "gitconfig"), "GITHUB_TOKEN": fake.TOKEN}
