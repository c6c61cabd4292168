"""A run killed after any call of git, forge or files is repaired by the next."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from copy import deepcopy
from pathlib import Path
from typing import Final, TypeAlias

import pytest
from msgspec import Struct

from migrate.campaign.offering.slices import Slice
from migrate.campaign.proposing.outcomes import Offered, Withheld
from migrate.campaign.proposing.ports import Ports
from migrate.campaign.proposing.propose import Settings, propose
from tests.campaign.places import FILES, PREPARE, Life, local, remote, slice_of
from tests.forge_server import Pull
from tests.github.fake import Hub
from tests.github.fixtures import Host
from tests.repo import Repo, make
from tests.secrets import MARK

BRANCH: Final = "tfrelock/default/prepare"
SUBJECTS: Final = "Require Terraform 1.11 or newer\nLock state in S3 as well as DynamoDB"
EARLIER: Final = slice_of("prepare", PREPARE.commits[0])


class World(Struct, frozen=True):
    """One repository with a forge, all under `folder`: ports for a new run, and what a person would see."""

    folder: Path
    ports: Callable[[Life], Ports]
    branches: Callable[[], Repo]
    proposals: Callable[[], list[str]]
    """The bodies of all proposals there are."""
    hub: Hub | None = None

    def kept(self, name: str) -> Kept:
        """Where it stands now."""
        copy = self.folder.with_name(name)
        shutil.copytree(self.folder, copy)
        return Kept(copy, deepcopy((self.hub.pulls, self.hub.signed)) if self.hub else ({}, set()))

    def back_to(self, kept: Kept) -> None:
        shutil.rmtree(self.folder)
        kept.folder.rename(self.folder)
        if self.hub:
            self.hub.pulls, self.hub.signed = kept.known

    def shown(self) -> tuple[str, str, list[str]]:
        """The branches with what is in them, the commits of ours, and the proposals."""
        repo = self.branches()
        tips = repo.git("for-each-ref", "--format=%(refname:short) %(tree)", "refs/heads")
        return tips, repo.git("log", "--reverse", "--format=%s", f"main..{BRANCH}"), self.proposals()


class Kept(Struct, frozen=True):
    folder: Path
    known: tuple[dict[str, list[Pull]], set[str]]
    """The forge's proposals, and the commits that it signed."""


Begin: TypeAlias = Callable[[Path], World]


@pytest.fixture(params=["local", "github", "github that signs"])
def begin(request: pytest.FixtureRequest) -> Begin:
    """Makes a world in a folder; GitHub's answers and our requests are held against its description."""
    if request.param == "local":
        return _local
    host = request.getfixturevalue("host")
    assert isinstance(host, Host)
    if request.param == "github that signs":
        must_sign(host)
    return lambda folder: _github(folder, host)


def _local(folder: Path) -> World:
    repo, runs, now = make(folder / "now/net", FILES), iter(range(1000)), folder / "now"
    return World(
        now,
        lambda life: local(repo.path, now / "out", folder / f"scratch{next(runs)}", life),
        lambda: repo,
        lambda: [page.read_text().split("\n\n", 2)[2] for page in (now / "out").rglob("*.md")],
    )


def must_sign(host: Host) -> None:
    """From here on it takes only signed commits, and knows us as a bot, for which it makes some."""
    host.hub.key = f"ghs_{MARK}"
    host.hub.rules.append({"type": "required_signatures"})


def _github(folder: Path, host: Host) -> World:
    repo, runs, now = make(folder / "now/net", FILES), iter(range(1000)), folder / "now"
    host.hub.folder = now / "hub"
    bare = host.hub.create("acme/net", repo.path)
    return World(
        now,
        lambda life: remote(repo.path, host, folder / f"scratch{next(runs)}", life),
        lambda: Repo(bare),
        lambda: [pull.body for pull in host.hub.pulls.get("acme/net", [])],
        host.hub,
    )


def killed_everywhere(world: World) -> int:
    """A run takes up what one left that was killed after its call 1, 2, 3 …; gives how many there were."""
    kept: list[Kept] = []
    life = Life(lambda: kept.append(world.kept(f"after{len(kept) + 1}")))
    propose(PREPARE, world.ports(life), Settings(), write=True)
    whole = world.shown()
    for number, left in enumerate(kept, 1):
        world.back_to(left)
        outcome = propose(PREPARE, world.ports(Life()), Settings(), write=True)
        assert isinstance(outcome, Offered), (life.spent[:number], outcome)
        assert world.shown() == whole, life.spent[:number]
    return len(kept)


@pytest.mark.parametrize("before", [None, EARLIER], ids=["the first proposal", "an update"])
def test_killed_after_any_call(
    begin: Begin, tmp_path: Path, before: Slice | None, capsys: pytest.CaptureFixture[str]
) -> None:
    world = begin(tmp_path)
    if before:
        propose(before, world.ports(Life()), Settings(), write=True)
    count = killed_everywhere(world)
    with capsys.disabled():
        print(f" killed after each of {count} calls", end="")
    assert count >= 8
    tips, subjects, bodies = world.shown()
    assert [line.split()[0] for line in tips.splitlines()] == ["main", BRANCH]
    assert (subjects, len(bodies)) == (SUBJECTS, 1)
    again = propose(PREPARE, world.ports(Life()), Settings(), write=True)
    assert isinstance(again, Offered)
    assert again.act == "none"


@pytest.mark.parametrize(
    ("signs", "why"),
    [(False, "the push was refused: "), (True, "the branch was not moved: ")],
    ids=["pushed", "made by the forge"],
)
def test_nothing_is_put_over_somebodys_commit_that_comes_meanwhile(
    host: Host, tmp_path: Path, *, signs: bool, why: str
) -> None:
    world = _github(tmp_path, host)
    if signs:
        must_sign(host)
    propose(EARLIER, world.ports(Life()), Settings(), write=True)
    late = world.ports(Life())
    work = Repo(tmp_path / "work")
    world.branches().git("clone", "--quiet", "--branch", BRANCH, ".", str(work.path))

    class Racing:
        """Somebody pushes between our look and our push."""

        def tip(self, branch: str, /) -> str | None:
            seen = late.branches.tip(branch)
            work.commit({"net/more.tf": "# theirs\n"}, "Theirs")
            work.git("push", "--quiet")
            return seen

        beneath, put = late.branches.beneath, late.branches.put

    outcome = propose(
        PREPARE, Ports(late.commits, Racing(), late.forge, late.page, late.paused), Settings(), write=True
    )
    assert isinstance(outcome, Withheld)
    assert outcome.why.startswith(why)
    assert world.branches().git("log", "-1", "--format=%s", BRANCH) == "Theirs"


def test_the_token_is_in_no_file_of_ours(host: Host, tmp_path: Path) -> None:
    world = _github(tmp_path, host)
    propose(PREPARE, world.ports(Life()), Settings(), write=True)
    ours = [file for file in tmp_path.glob("scratch*/**/*") if file.is_file()]
    assert ours
    assert not any(MARK.encode() in file.read_bytes() for file in ours)
