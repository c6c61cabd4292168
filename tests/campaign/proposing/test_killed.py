"""A run killed after any call of git, forge or files is repaired by the next."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Final, TypeAlias

import pytest
from msgspec import Struct

from migrate.campaign.offering.slices import Slice
from migrate.campaign.proposing.outcomes import Offered, Withheld
from migrate.campaign.proposing.ports import Ports
from migrate.campaign.proposing.propose import Settings, propose
from tests.campaign.places import FILES, PREPARE, Died, Life, local, remote, slice_of
from tests.github.fixtures import Host
from tests.repo import Repo, make
from tests.secrets import MARK

BRANCH: Final = "tfrelock/default/prepare"
SUBJECTS: Final = "Require Terraform 1.11 or newer\nLock state in S3 as well as DynamoDB"
EARLIER: Final = slice_of("prepare", PREPARE.commits[0])


class World(Struct, frozen=True):
    """One repository with a forge: ports for a new run, and what a person would see."""

    ports: Callable[[Life], Ports]
    branches: Callable[[], Repo]
    proposals: Callable[[], list[str]]
    """The bodies of all proposals there are."""


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
    repo, runs = make(folder / "net", FILES), iter(range(1000))
    return World(
        lambda life: local(repo.path, folder / "out", folder / f"scratch{next(runs)}", life),
        lambda: repo,
        lambda: [page.read_text().split("\n\n", 2)[2] for page in (folder / "out").rglob("*.md")],
    )


def must_sign(host: Host) -> None:
    """From here on it takes only signed commits, and knows us as a bot, for which it makes some."""
    host.hub.key = f"ghs_{MARK}"
    host.hub.rules.append({"type": "required_signatures"})


def _github(folder: Path, host: Host) -> World:
    repo, runs = make(folder / "net", FILES), iter(range(1000))
    host.hub.folder = folder / "hub"
    host.hub.pulls.clear()
    bare = host.hub.create("acme/net", repo.path)
    return World(
        lambda life: remote(repo.path, host, folder / f"scratch{next(runs)}", life),
        lambda: Repo(bare),
        lambda: [pull.body for pull in host.hub.pulls.get("acme/net", [])],
    )


def killed_everywhere(begin: Begin, folder: Path, before: Slice | None) -> int:
    """Kill a run after call 1, 2, 3 … until one completes; gives how many were killed."""
    for number in range(1, 1000):
        world = begin(folder / str(number))
        if before:
            propose(before, world.ports(Life()), Settings(), write=True)
        life = Life(number)
        try:
            propose(PREPARE, world.ports(life), Settings(), write=True)
        except Died:
            outcome = propose(PREPARE, world.ports(Life()), Settings(), write=True)
            assert isinstance(outcome, Offered), (life.spent, outcome)
        check(world, life.spent)
        if len(life.spent) < number:
            return number - 1
    raise AssertionError("it never completed")


def check(world: World, spent: list[str]) -> None:
    repo = world.branches()
    assert repo.git("for-each-ref", "--format=%(refname:short)", "refs/heads") == f"main\n{BRANCH}", spent
    assert repo.git("log", "--reverse", "--format=%s", f"main..{BRANCH}") == SUBJECTS, spent
    assert len(world.proposals()) == 1, spent
    again = propose(PREPARE, world.ports(Life()), Settings(), write=True)
    assert isinstance(again, Offered)
    assert again.act == "none", spent


@pytest.mark.parametrize("before", [None, EARLIER], ids=["the first proposal", "an update"])
def test_killed_after_any_call(
    begin: Begin, tmp_path: Path, before: Slice | None, capsys: pytest.CaptureFixture[str]
) -> None:
    count = killed_everywhere(begin, tmp_path, before)
    with capsys.disabled():
        print(f" killed after each of {count} calls", end="")
    assert count >= 8


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

        put = late.branches.put

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
