"""Commits that a forge makes again for us: each with the files, the message and the tree that ours has."""

from __future__ import annotations

from pathlib import Path, PurePosixPath

import pytest
from msgspec import Struct, field

from migrate.campaign.proposing.signed import Signed
from migrate.errors import RelockError
from migrate.forges import File, Making, Stop
from migrate.git.branches import Base, There
from migrate.git.commits import Author, Draft, commit
from migrate.git.own import Own, borrow
from migrate.git.remote import Rejected, Remote
from tests.repo import Repo, make

ADA = Author("Ada Acme", "ada@acme.example")


class Noting(Struct):
    """A forge's `Signer` that notes what it is told; `stop` is what it says to a move."""

    stop: Stop | None = None
    made: list[Making] = field(default_factory=list)
    moved: list[tuple[str, str, str | None]] = field(default_factory=list)

    def commit(self, making: Making, /) -> str:
        self.made.append(making)
        return f"signed{len(self.made)}"

    def move(self, branch: str, tip: str, seen: str | None, /) -> Stop | None:
        self.moved.append((branch, tip, seen))
        return self.stop


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    made = make(tmp_path / "net", {"main.tf": "a\n", "run.sh": "a\n"})
    made.git("update-index", "--chmod=+x", "run.sh")
    made.git("commit", "--quiet", "-m", "Executable")
    return made


@pytest.fixture
def own(repo: Repo, tmp_path: Path) -> Own:
    (tmp_path / "own").mkdir()
    return borrow(repo.path, tmp_path / "own")


def drafted(own: Own, parent: str, path: str, data: bytes) -> str:
    draft = Draft(parent, {PurePosixPath(path): data}, f"Change {path!a}\n", ADA, "1767603600 +0000")
    return commit(own, draft)


def signed(own: Own, base: str, noting: Noting, *, asks: str = "work") -> Signed:
    there = There(own, Remote("ssh://acme.example/net.git", "ssh"), Base("main", base))
    return Signed(there, lambda branch: noting if branch == asks else None)


def tree(own: Own, at: str) -> str:
    return own.get("rev-parse", f"{at}^{{tree}}").decode().strip()


def test_each_commit_is_made_on_what_the_forge_made_before(repo: Repo, own: Own) -> None:
    base = repo.git("rev-parse", "HEAD")
    first = drafted(own, base, "main.tf", "\ufeffé\r\n".encode())
    second = drafted(own, first, "run.sh", b"b")
    noting = Noting()
    assert signed(own, base, noting).put("work", second, "seen") == "signed2"
    trees = [tree(own, at) for at in (base, first, second)]
    main, run = File("main.tf", "100644", "\ufeffé\r\n"), File("run.sh", "100755", "b")
    assert noting.made == [
        Making(base, trees[0], trees[1], "Change 'main.tf'\n", (main,)),
        Making("signed1", trees[1], trees[2], "Change 'run.sh'\n", (run,)),
    ]
    assert noting.moved == [("work", "signed2", "seen")]


def test_a_base_that_takes_only_signed_commits(repo: Repo, own: Own) -> None:
    base, noting = repo.git("rev-parse", "HEAD"), Noting()
    tip = drafted(own, base, "main.tf", b"b\n")
    assert signed(own, base, noting, asks="main").put("work", tip, None) == "signed1"
    assert noting.moved == [("work", "signed1", None)]


def test_a_branch_that_is_elsewhere_now(repo: Repo, own: Own) -> None:
    base = repo.git("rev-parse", "HEAD")
    noting = Noting(Stop("the branch was not moved", "look"))
    told = signed(own, base, noting).put("work", drafted(own, base, "main.tf", b"b\n"), None)
    assert told == Rejected("the branch was not moved", "look")


@pytest.mark.parametrize(
    ("path", "data"), [("main.tf", b"\xff\n"), (b"\xff.tf".decode("utf-8", "surrogateescape"), b"b\n")]
)
def test_what_is_not_utf_8_is_refused_before_the_branch_moves(
    repo: Repo, own: Own, path: str, data: bytes
) -> None:
    base, noting = repo.git("rev-parse", "HEAD"), Noting()
    with pytest.raises(RelockError, match="is not UTF-8"):
        signed(own, base, noting).put("work", drafted(own, base, path, data), None)
    assert (noting.made, noting.moved) == ([], [])
