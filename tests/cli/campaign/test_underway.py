"""Open proposals of others while a campaign runs: `status` says what they do to locks, `next` what waits."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.campaign.estate import ALL, Estate, net
from tests.cli.estates import BOTH, LOCKFILE, TABLE, UNLOCKED, Files
from tests.forge_server import Answer, Fault, Pull
from tests.repo import Repo, make

HERE = "127.0.0.1/acme/net"
URL = "https://github.com/acme/net/pull/7"


def propose(estate: Estate, files: Files, *, fork: bool = False, base: str = "main") -> Pull:
    """Somebody's open pull request of `acme/net`, number 7."""
    bare = Repo(estate.host.hub.folder / "acme/net.git")
    work = make(estate.folder / "theirs", {})
    work.git("fetch", "--quiet", str(bare.path), base)
    work.git("checkout", "--quiet", "-B", "theirs", "FETCH_HEAD")
    work.commit(files)
    work.git("push", "--quiet", "--force", str(bare.path), "theirs")
    pull = Pull(7, "theirs", base, "Theirs", "", draft=False, fork=fork)
    estate.host.hub.pulls.setdefault("acme/net", []).append(pull)
    return pull


def stuck(estate: Estate) -> list[str]:
    """What `status` says is stuck."""
    out = estate.run("status", estate.file).out
    return [line.strip() for line in out.partition("stuck: ")[2].splitlines()[1:]]


@pytest.fixture
def dual(estate: Estate) -> Estate:
    """A repository whose main branch holds both locks, and whose retire is open."""
    estate.config = ALL
    estate.create("net", {"net/main.tf": BOTH})
    return estate.begun()


@pytest.mark.parametrize("fork", [False, True])
def test_a_swap_in_one_step_is_said_and_stops_no_prepare(estate: Estate, fork: bool) -> None:
    estate.create("net", {"net/main.tf": TABLE})
    propose(estate, {"net/main.tf": LOCKFILE}, fork=fork)
    ran = estate.begun().led("next", "--yes")
    assert (ran.code, ran.out.count(" opened: ")) == (0, 1)
    swaps = "gives up one lock and takes the other in one step: no common lock with what still runs"
    assert stuck(estate) == [f"{HERE}  {URL} is open: net/main.tf:4 {swaps}"]
    [crossing] = estate.of("net", "crossed_by")
    assert (crossing["state"], crossing["holds_retire"]) == ("s3://acme-state/net.tfstate", False)


@pytest.mark.parametrize(
    ("theirs", "why"),
    [(TABLE, "locks with the table only"), (UNLOCKED, "takes no lock")],
)
def test_an_older_client_holds_retire_until_it_is_closed(dual: Estate, theirs: str, why: str) -> None:
    pull = propose(dual, {"net/main.tf": theirs})
    ran = dual.led("next", "--yes")
    assert (ran.code, ran.out) == (0, "")
    told = f"{URL} is open: net/main.tf:4 {why}. It is to be merged, brought up to date or closed first."
    assert f"{HERE}: finish waits: {told}\n" in ran.err
    pull.state = "closed"
    assert dual.led("next", "--yes").out.count(" opened: Stop locking state in DynamoDB") == 1
    assert stuck(dual) == []


def test_one_that_comes_while_retire_is_open_makes_it_a_draft(dual: Estate) -> None:
    dual.led("next", "--yes")
    pull = propose(dual, {"net/main.tf": TABLE})
    ran = dual.led("next", "--yes")
    assert f"not to be merged: {URL} is open: net/main.tf:4 locks with the table only." in ran.out
    ours = dual.pulls()["net"][0]
    assert ours.draft
    pull.state = "closed"
    dual.led("next", "--yes")
    assert not ours.draft


def test_a_client_of_another_repositorys_state_holds_that(dual: Estate) -> None:
    dual.create("app", net(1))
    dual.run("add", dual.file, "--github-org", "acme", "--forge-url", dual.host.services.direct)
    theirs = Pull(3, "theirs", "main", "Theirs", "", draft=False)
    propose(dual, {"net/main.tf": TABLE})
    dual.host.hub.pulls.clear()
    bare = Repo(dual.host.hub.folder / "acme/app.git")
    work = Repo(dual.folder / "theirs")
    work.git("fetch", "--quiet", str(bare.path), "main")
    work.git("checkout", "--quiet", "-B", "more", "FETCH_HEAD")
    work.commit({"other/main.tf": TABLE})
    work.git("push", "--quiet", str(bare.path), "more:theirs")
    dual.host.hub.pulls["acme/app"] = [theirs]
    ran = dual.led("next", "--yes")
    assert f"{HERE}: finish waits: https://github.com/acme/app/pull/3 is open: other/main.tf:4" in ran.err


@pytest.mark.parametrize(
    "files", [{"README.md": "# Theirs\n"}, {"app/main.tf": LOCKFILE.replace("net", "x")}]
)
def test_what_touches_no_lock_of_ours_holds_nothing(dual: Estate, files: Files) -> None:
    propose(dual, files)
    ran = dual.led("next", "--yes")
    assert (ran.code, ran.out.count(" opened: Stop locking"), stuck(dual)) == (0, 1, [])


def test_each_repository_is_asked_once_for_all_that_is_open(dual: Estate) -> None:
    for number in range(8, 12):
        dual.host.hub.pulls.setdefault("acme/net", []).append(
            Pull(number, "main", "main", "Theirs", "", draft=False)
        )
    dual.led("sync")
    listed = [call for call in dual.host.hub.calls if "/pulls?" in call and "state=open" in call]
    fetched = [call for call in dual.host.hub.calls if call.startswith("POST") and "git-upload-pack" in call]
    assert (len(listed), len(fetched)) == (1, 3), "one look at tips, one fetch of two requests"


def test_open_proposals_that_are_not_shown_hold_every_retire(dual: Estate) -> None:
    dual.host.hub.faults.append(Fault("GET .*/pulls.*state=open", Answer(403, {"message": "No"})))
    ran = dual.led("next", "--yes")
    assert (ran.code, ran.out) == (5, "")
    assert "nothing is retired while 1 repository cannot be read" in ran.err


def test_another_kept_branch_is_what_a_proposal_for_it_is_held_against(dual: Estate, tmp_path: Path) -> None:
    bare = Repo(dual.host.hub.folder / "acme/net.git")
    bare.git("branch", "release/1", "main")
    dual.run("add", dual.file, "--base-branch", "release/1")
    propose(dual, {"net/main.tf": TABLE}, base="release/1")
    dual.led("sync")
    assert stuck(dual) == [f"{HERE}@release/1  {URL} is open: net/main.tf:4 locks with the table only"]


@pytest.mark.parametrize("call", ["pulls.*state=open", "pulls/1/reviews"])
def test_a_limit_of_requests_that_look_is_waited_for(dual: Estate, call: str) -> None:
    dual.led("next", "--yes")
    limit = Answer(403, {"message": "API rate limit exceeded"}, {"Retry-After": "1800"})
    dual.host.hub.faults.append(Fault(f"GET .*/{call}", limit))
    assert dual.led("sync").code == 0
    assert dual.host.hub.faults == []
    assert dual.standing() == {"net": ["finish open"]}
