"""What a checkout says of itself."""

from pathlib import Path, PurePosixPath

import pytest

from migrate.errors import RelockError
from migrate.git.checkout import Head, blob_id, differing, head, ignored, move_branch, resolve
from migrate.model import Known, Unknown
from tests.git.repository import git, make, put


@pytest.fixture
def repo(tmp_path: Path) -> Path:
    return make(tmp_path / "net", {"main.tf": b"a = 1\n", "crlf.tf": b"a = 1\n", ".gitignore": b"*.tfvars\n"})


def test_head_knows_commit_and_branch(repo: Path) -> None:
    commit = git(repo, "rev-parse", "HEAD")
    assert head(repo) == Known(Head(commit, "main"))
    git(repo, "checkout", "-q", "-b", "team/feature")
    assert head(repo) == Known(Head(commit, "team/feature"))
    git(repo, "checkout", "-q", "--detach")
    assert head(repo) == Known(Head(commit, None))


def test_head_of_a_linked_work_tree_and_of_a_sha256_repository(repo: Path, tmp_path: Path) -> None:
    git(repo, "worktree", "add", "-q", "-b", "other", str(tmp_path / "w"))
    assert head(tmp_path / "w") == Known(Head(git(repo, "rev-parse", "HEAD"), "other"))
    modern = make(tmp_path / "modern", {"main.tf": b"a\n"}, "--object-format=sha256")
    assert head(modern) == Known(Head(git(modern, "rev-parse", "HEAD"), "main"))


def test_head_is_unknown_without_a_commit_and_without_a_repository(tmp_path: Path) -> None:
    git(tmp_path, "init", "-q")
    for folder in (tmp_path, tmp_path / ".git"):
        told = head(folder)
        assert isinstance(told, Unknown)
        assert told.why.startswith("no commit is checked out: fatal: ")


def test_a_name_is_resolved_to_a_commit(repo: Path) -> None:
    git(repo, "tag", "-a", "v1", "-m", "v1")
    commit = git(repo, "rev-parse", "HEAD")
    assert [resolve(repo, name) for name in ("main", "v1", commit[:8])] == [Known(commit)] * 3


@pytest.mark.parametrize("name", ["absent", "--all", "-h", "main:main.tf", "a b"])
def test_what_is_no_commit_is_unknown(name: str, repo: Path) -> None:
    told = resolve(repo, name)
    assert isinstance(told, Unknown)
    assert told.why == f"there is no commit {name!r} here"


def test_ignored_files_are_named_and_tracked_ones_never_are(repo: Path) -> None:
    put(
        repo,
        {
            "prod.tfvars": b"",
            "kept.tfvars": b"",
            "a/x.tfvars": b"",
            "zwei\nzeilen.tfvars": b"",
            ":x.tfvars": b"",
        },
    )
    git(repo, "add", "-f", "kept.tfvars")
    paths = [
        PurePosixPath(name)
        for name in (
            "main.tf",
            "prod.tfvars",
            "kept.tfvars",
            "a/x.tfvars",
            "zwei\nzeilen.tfvars",
            ":x.tfvars",
            "-n",
        )
    ]
    assert ignored(repo, paths) == Known(frozenset(paths[i] for i in (1, 3, 4, 5)))
    assert ignored(repo, []) == Known(frozenset())


def test_a_file_differs_when_its_bytes_are_not_those_of_the_commit(repo: Path) -> None:
    put(repo, {"two\nheld.tf": b"a = 1\n"})
    git(repo, "add", "--all")
    git(repo, "commit", "-q", "-m", "An odd name")
    commit = git(repo, "rev-parse", "HEAD")
    files = {
        PurePosixPath("main.tf"): b"a = 1\n",
        PurePosixPath("two\nheld.tf"): b"a = 1\n",
        PurePosixPath("crlf.tf"): b"a = 1\r\n",
        PurePosixPath(".gitignore"): b"*.tfvars",
        PurePosixPath("new.tf"): b"",
        PurePosixPath("two\nlines.tf"): b"",
    }
    assert differing(repo, commit, files) == Known(
        frozenset(PurePosixPath(name) for name in (".gitignore", "new.tf", "two\nlines.tf"))
    )
    assert isinstance(differing(repo.parent, commit, files), Unknown)


def test_a_blob_id_is_git_s(repo: Path) -> None:
    assert blob_id(b"a = 1\n") == git(repo, "rev-parse", "HEAD:main.tf")


def test_a_branch_moves_only_from_where_it_was_seen(repo: Path) -> None:
    first = git(repo, "rev-parse", "HEAD")
    second = git(repo, "commit-tree", "-p", first, "-m", "Second", "HEAD^{tree}")
    move_branch(repo, "tfrelock/default/prepare", first, None)
    with pytest.raises(RelockError):
        move_branch(repo, "tfrelock/default/prepare", second, None)
    move_branch(repo, "tfrelock/default/prepare", second, first)
    with pytest.raises(RelockError):
        move_branch(repo, "tfrelock/default/prepare", second, first)
    assert git(repo, "rev-parse", "tfrelock/default/prepare") == second


def test_a_branch_that_is_checked_out_does_not_move(repo: Path, tmp_path: Path) -> None:
    git(repo, "worktree", "add", "-q", "-b", "mine", str(tmp_path / "w"))
    first = git(repo, "rev-parse", "HEAD")
    for branch in ("main", "mine"):
        with pytest.raises(RelockError, match=f"the branch {branch} is checked out"):
            move_branch(repo, branch, first, first)
