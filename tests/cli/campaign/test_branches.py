"""`campaign … --base-branch`: branches that are kept are clients, and have proposals, of their own."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.cli.campaign.estate import ALL, Estate, net
from tests.cli.desk import OLD
from tests.cli.estates import BOTH, LOCKFILE, TABLE
from tests.repo import Repo

HERE = "127.0.0.1/acme/net"
RELEASE = f"{HERE}@release/1"


def kept(estate: Estate, main: str, release: str) -> Repo:
    """A repository whose `main` has gone further than `release/1`."""
    bare = estate.create("net", {"net/main.tf": release})
    work = Repo(estate.folder / "sources/net")
    work.git("push", "--quiet", str(bare), "main:release/1")
    work.commit({"net/main.tf": main})
    work.git("push", "--quiet", str(bare), "main")
    return Repo(bare)


@pytest.fixture
def begun(estate: Estate) -> Callable[[], Estate]:
    """The campaign over the organisation, with the branch."""

    def begin() -> Estate:
        assert estate.run("init", estate.file, "--name", "locks", "--base-branch", "release/1").code == 0
        where = ("--github-org", "acme", "--forge-url", estate.host.services.direct)
        assert estate.run("add", estate.file, *where).code == 0
        return estate

    return begin


def test_each_branch_goes_the_whole_way(estate: Estate, begun: Callable[[], Estate]) -> None:
    estate.config = ALL
    bare = kept(estate, OLD, OLD)
    estate.create("app", net(1))
    begun()
    first = estate.led("next", "--yes")
    assert (first.code, first.out.count(" opened: ")) == (0, 3)
    offered = {(pull.head, pull.base) for pull in estate.pulls()["net"]}
    assert offered == {
        ("tfrelock/locks/prepare", "main"),
        ("tfrelock/locks@release-1-c216c6/prepare", "release/1"),
    }
    for base, head in ((base, head) for head, base in offered):
        assert bare.git("merge-base", base, head) == bare.git("rev-parse", base)
    assert estate.led("next", "--yes").out.count(" stands: ") == 3
    estate.merge()
    assert estate.led("sync").code == 0
    assert estate.led("next", "--yes").out.count(" opened: Stop locking state in DynamoDB") == 3
    estate.merge()
    estate.led("sync")
    for branch in ("main", "release/1"):
        assert "dynamodb_table" not in bare.git("show", f"{branch}:net/main.tf")
    told = {name: one["branch_of"] for name, one in estate.report().items()}
    assert told == {"net": None, "app": None, "1": HERE}, "by the last part of their names"


def test_a_branch_that_has_the_table_alone_holds_retire(estate: Estate, begun: Callable[[], Estate]) -> None:
    estate.config = ALL
    kept(estate, BOTH, TABLE)
    begun()
    ran = estate.led("next", "--yes")
    assert [line.split()[:2] for line in ran.out.splitlines()] == [
        [RELEASE, "tfrelock/locks@release-1-c216c6/prepare"]
    ]
    [state] = estate.of("net", "states")
    assert (state["next"], state["because"]) == (
        "retire",
        f"{RELEASE} net/main.tf:4 locks with the table only",
    )


def test_a_branch_that_is_gone_is_a_client_no_more(estate: Estate, begun: Callable[[], Estate]) -> None:
    estate.config = ALL
    bare = kept(estate, BOTH, TABLE)
    begun().led("sync")
    bare.git("branch", "-D", "release/1")
    ran = estate.led("next", "--yes")
    assert ran.out.count(" opened: Stop locking state in DynamoDB") == 1
    assert "left out: 1 a branch that is gone" in estate.run("status", estate.file).out
    bare.git("branch", "release/1", "main~1")
    assert estate.led("sync").code == 0
    assert "left out" not in estate.run("status", estate.file).out


def test_a_repository_without_it_has_one_client(estate: Estate, begun: Callable[[], Estate]) -> None:
    estate.create("net", net(0))
    begun()
    assert estate.led("next", "--yes").out.count(" opened: ") == 1
    assert list(estate.report()) == ["net"]


def test_close_and_export_know_a_branch_by_its_name(estate: Estate, begun: Callable[[], Estate]) -> None:
    kept(estate, LOCKFILE.replace("net", "x"), OLD)
    begun().led("next", "--yes")
    estate.led("export", "--to", estate.folder / "out")
    assert list((estate.folder / "out/patches").rglob("*.patch")) == [
        estate.folder / "out/patches/acme/net@release-1-c216c6/prepare.patch"
    ]
    assert not (estate.folder / "out/multi-gitter.yaml").exists(), "it knows no other branches"
    ran = estate.led("close", "--because", "Later.", "--repository", "*@release/1", "--yes")
    assert ran.code == 0
    [pull] = estate.pulls()["net"]
    assert (pull.state, pull.comments) == ("closed", ["Later."])
