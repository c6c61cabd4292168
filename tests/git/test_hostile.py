"""A checkout that plants programs: nothing of it runs, whatever we ask of it."""

from contextlib import suppress
from pathlib import Path, PurePosixPath

import pytest

from migrate.files import Interest, Names, discover, walk
from migrate.git.checkout import differing, head, ignored, lacking, move_branch, resolve
from migrate.git.commits import Author, Draft, commit, log, merge_base, patch
from migrate.git.own import blobs, borrow, holding, publish, tree
from migrate.model import Known
from tests.git.plants import PLANTS, trap
from tests.repo import Repo, make

MAIN = PurePosixPath("main.tf")


def everything(repo: Repo, scratch: Path) -> None:
    """Each thing we ask of a checkout, and each commit we make beside it."""
    interest = Interest((b"backend",), Names(frozenset({"main.tf"})))
    with walk(discover([str(repo.path)]).repositories, interest, lambda _, read: read) as walked:
        assert list(walked)
    here = head(repo.path)
    assert isinstance(here, Known)
    base = here.value.commit
    assert resolve(repo.path, "main") == Known(base)
    assert isinstance(ignored(repo.path, [MAIN]), Known)
    assert isinstance(differing(repo.path, base, {MAIN: (repo.path / MAIN).read_bytes()}), Known)
    assert isinstance(lacking(repo.path, base), Known)
    own = borrow(repo.path, scratch)
    blobs(own, [leaf.blob for leaf in tree(own, base).values()])
    kim = Author("Kim Example", "kim@acme.example")
    tip = commit(own, Draft(base, {MAIN: b"both\n"}, "Lock both\n", kim, "1700000000 +0000"))
    assert [entry.commit for entry in log(own, base, tip)] == [tip]
    assert merge_base(own, base, tip) == base
    assert b"+both" in patch(own, base, tip)
    publish(own, tip, base)
    move_branch(repo.path, "tfrelock/default/prepare", tip, None)
    assert repo.git("rev-parse", "refs/heads/tfrelock/default/prepare") == tip


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    return make(tmp_path / "net", {"main.tf": 'backend "s3"\n', "lazy.tf": "lazy\n", "x.tf": "x\n"})


@pytest.mark.parametrize("name", PLANTS)
def test_nothing_of_a_checkout_runs(name: str, repo: Repo, tmp_path: Path) -> None:
    program, marker = trap(tmp_path)
    PLANTS[name].lay(repo, program)
    (tmp_path / "scratch").mkdir()
    everything(repo, tmp_path / "scratch")
    assert not marker.exists()


@pytest.mark.parametrize("name", [name for name, plant in PLANTS.items() if plant.bait])
def test_each_trap_is_one(name: str, repo: Repo, tmp_path: Path) -> None:
    program, marker = trap(tmp_path, code=1)
    PLANTS[name].lay(repo, program)
    with suppress(AssertionError):  # what the trap leaves git with is git's matter
        repo.git(*PLANTS[name].bait)
    assert marker.exists()


def test_a_token_is_searched_in_a_commit_without_textconv(repo: Repo, tmp_path: Path) -> None:
    program, marker = trap(tmp_path)
    PLANTS["textconv"].lay(repo, program)
    (tmp_path / "scratch").mkdir()
    own = borrow(repo.path, tmp_path / "scratch")
    assert holding(own, repo.git("rev-parse", "HEAD"), [b"backend"]) == (MAIN,)
    assert not marker.exists()
