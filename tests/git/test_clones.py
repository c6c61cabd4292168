"""Clones of our own, and what is known of branches whose history is not all there."""

import shlex
from pathlib import Path, PurePosixPath

import pytest

from migrate.git.branches import Base, There
from migrate.git.clones import clone, default_branch
from migrate.git.command import in_checkout
from migrate.git.commits import Author, Draft, commit, log
from migrate.git.own import Own, blank, blobs, borrow, tree
from migrate.git.remote import Remote, fetch
from migrate.process import Finished
from tests.repo import Repo

AT = Remote("ssh://acme.example/net.git", "ssh")
KIM = Author("Kim Example", "kim@acme.example")
BRANCH = "tfrelock/default/prepare"


@pytest.fixture
def work(server: Repo, tmp_path: Path) -> Repo:
    """A checkout of the remote, whose branch `main` has ten commits."""
    server.git("config", "uploadpack.allowFilter", "true")
    Repo(tmp_path).git("clone", "-q", "net.git", "work")
    work = Repo(tmp_path / "work")
    advance(work, 9)
    return work


def advance(work: Repo, count: int) -> str:
    for _ in range(count):
        work.git("commit", "-q", "--allow-empty", "-m", "More")
    work.git("push", "-q", "origin", "main")
    return work.git("rev-parse", "HEAD")


def cloned(tmp_path: Path, name: str = "shelf") -> tuple[Path, str]:
    (tmp_path / name).mkdir()
    return clone(AT, "main", tmp_path / name)


def borrowed(of: Path, tmp_path: Path, name: str) -> Own:
    (tmp_path / name).mkdir()
    return borrow(of, tmp_path / name)


def proposed(own: Own, base: str) -> str:
    files = {PurePosixPath("main.tf"): b"both\n"}
    return commit(own, Draft(base, files, "Lock both\n", KIM, "1700000000 +0000"))


def test_a_clone_is_bare_and_one_commit_deep(work: Repo, tmp_path: Path) -> None:
    path, tip = cloned(tmp_path)
    assert tip == work.git("rev-parse", "HEAD")
    assert Repo(path).git("rev-list", "--count", "HEAD") == "1"
    assert Repo(path).git("symbolic-ref", "HEAD") == "refs/heads/main"
    assert Repo(path).git("config", "remote.origin.url") == AT.url
    assert {file.name for file in path.parent.iterdir()} == {"own.git"}
    assert not list(path.glob("hooks/*"))


def test_the_branch_that_a_remote_checks_out(work: Repo, server: Repo, tmp_path: Path) -> None:
    own = blank(tmp_path)
    assert default_branch(own, AT) == "main"
    server.git("branch", "-m", "main", "trunk")
    assert default_branch(own, AT) == "trunk"
    server.git("symbolic-ref", "refs/aside/HEAD", "refs/heads/trunk")
    server.git("symbolic-ref", "HEAD", "refs/heads/none")
    assert default_branch(own, AT) is None


def test_the_largest_files_are_not_fetched_and_hinder_nothing(work: Repo, tmp_path: Path) -> None:
    work.commit({"large.bin": bytes(17 << 20)})
    base = advance(work, 1)
    path, _ = cloned(tmp_path)
    own = borrowed(path, tmp_path, "read")
    leaf = tree(own, base)[PurePosixPath("large.bin")]
    assert (leaf.size, blobs(own, [leaf.blob])) == (None, {})
    newer = advance(work, 3)
    assert fetch(own, AT, "main") == newer
    there = There(own, AT, Base("main", newer))
    tip = proposed(own, newer)
    assert there.put(BRANCH, tip, None) == tip
    assert there.tip(BRANCH) is not None


@pytest.mark.parametrize("behind", [0, 3, 40, 300])
def test_our_commits_are_known_however_far_the_base_has_moved(
    work: Repo, tmp_path: Path, behind: int
) -> None:
    path, base = cloned(tmp_path)
    first = borrowed(path, tmp_path, "first")
    tip = proposed(first, base)
    assert There(first, AT, Base("main", base)).put(BRANCH, tip, None) == tip
    newer = advance(work, behind)
    path, moved = cloned(tmp_path, "again")
    assert moved == newer
    own = borrowed(path, tmp_path, "second")
    assert There(own, AT, Base("main", newer)).tip(BRANCH) == tip
    assert [one.commit for one in log(own, newer, tip)] == [tip]
    assert [str(file.path) for file in log(own, newer, tip)[0].touched] == ["main.tf"]


def test_a_clone_itself_stays_as_it_is(work: Repo, tmp_path: Path) -> None:
    path, base = cloned(tmp_path)
    before = {file: file.read_bytes() for file in path.rglob("*") if file.is_file()}
    own = borrowed(path, tmp_path, "own")
    There(own, AT, Base("main", base)).put(BRANCH, proposed(own, base), None)
    advance(work, 30)
    There(own, AT, Base("main", fetch(own, AT, "main"))).tip(BRANCH)
    assert {file: file.read_bytes() for file in path.rglob("*") if file.is_file()} == before
    asked = in_checkout(path, "rev-parse", "HEAD")
    assert isinstance(asked, Finished)
    assert asked.out.decode().strip() == base


def test_nothing_of_a_hostile_repository_runs(work: Repo, tmp_path: Path) -> None:
    """A filter that the person has, such as that of LFS, and a submodule that would run a program."""
    marker = tmp_path / "ran"
    trap = f"touch {shlex.quote(str(marker))}; cat"
    with (tmp_path / "home/.gitconfig").open("a") as config:
        config.write(f'[filter "lfs"]\n\tsmudge = "{trap}"\n\tclean = "{trap}"\n\tprocess = "{trap}"\n')
        config.write('[protocol "ext"]\n\tallow = always\n')
    hostile = f'[submodule "a"]\n\tpath = a\n\turl = "ext::sh -c {trap}"\n'
    work.commit({".gitattributes": "* filter=lfs diff=lfs merge=lfs\n", ".gitmodules": hostile})
    base = advance(work, 1)
    marker.unlink(missing_ok=True)
    path, _ = cloned(tmp_path)
    own = borrowed(path, tmp_path, "own")
    assert PurePosixPath(".gitmodules") in tree(own, base)
    there = There(own, AT, Base("main", base))
    tip = proposed(own, base)
    assert there.put(BRANCH, tip, None) == tip
    assert there.tip(BRANCH) is not None
    assert not marker.exists()
