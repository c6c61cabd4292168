"""What a checkout says of itself."""

from pathlib import Path, PurePosixPath

import pytest

from migrate.errors import RelockError
from migrate.git.checkout import Head, blob_id, differing, head, ignored, lacking, move_branch, resolve
from migrate.model import Known, Unknown
from tests.repo import Repo, make


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    return make(tmp_path / "net", {"main.tf": "a = 1\n", "crlf.tf": "a = 1\n", ".gitignore": "*.tfvars\n"})


def test_head_knows_commit_and_branch(repo: Repo) -> None:
    commit = repo.git("rev-parse", "HEAD")
    assert head(repo.path) == Known(Head(commit, "main"))
    repo.git("checkout", "-q", "-b", "team/feature")
    assert head(repo.path) == Known(Head(commit, "team/feature"))
    repo.git("checkout", "-q", "--detach")
    assert head(repo.path) == Known(Head(commit, None))


def test_head_of_a_linked_work_tree_and_of_a_sha256_repository(repo: Repo, tmp_path: Path) -> None:
    repo.git("worktree", "add", "-q", "-b", "other", str(tmp_path / "w"))
    assert head(tmp_path / "w") == Known(Head(repo.git("rev-parse", "HEAD"), "other"))
    modern = make(tmp_path / "modern", {"main.tf": "a\n"}, ids="sha256")
    assert head(modern.path) == Known(Head(modern.git("rev-parse", "HEAD"), "main"))


def test_head_is_unknown_without_a_commit_and_without_a_repository(tmp_path: Path) -> None:
    Repo(tmp_path).git("init", "-q")
    for folder in (tmp_path, tmp_path / ".git"):
        assert head(folder) == Unknown("nothing is committed here yet", "git commit")
    told = head(tmp_path / ".git/objects")
    assert isinstance(told, Unknown)
    assert told.why.startswith("no commit is checked out: fatal: ")


def test_a_name_is_resolved_to_a_commit(repo: Repo) -> None:
    repo.git("tag", "-a", "v1", "-m", "v1")
    commit = repo.git("rev-parse", "HEAD")
    assert [resolve(repo.path, name) for name in ("main", "v1", commit[:8])] == [Known(commit)] * 3


@pytest.mark.parametrize("name", ["absent", "--all", "-h", "main:main.tf", "a b"])
def test_what_is_no_commit_is_unknown(name: str, repo: Repo) -> None:
    told = resolve(repo.path, name)
    assert isinstance(told, Unknown)
    assert told.why == f"there is no commit {name!r} here"


def test_ignored_files_are_named_and_tracked_ones_never_are(repo: Repo) -> None:
    names = ("prod.tfvars", "kept.tfvars", "a/x.tfvars", "zwei\nzeilen.tfvars", ":x.tfvars")
    repo.write(dict.fromkeys(names, ""))
    repo.git("add", "-f", "kept.tfvars")
    asked = [PurePosixPath(name) for name in ("main.tf", *names, "-n")]
    told = {PurePosixPath(name) for name in names if name != "kept.tfvars"}
    assert ignored(repo.path, asked) == Known(frozenset(told))
    assert ignored(repo.path, []) == Known(frozenset())


@pytest.mark.parametrize(
    ("done", "gone"),
    [
        (("add", "main.tf"), False),
        (("rm", "--quiet", "main.tf"), True),
        (("rm", "--quiet", "--cached", "main.tf"), True),
        (("sparse-checkout", "set", "--no-cone", "crlf.tf"), True),
        (("update-index", "--assume-unchanged", "main.tf"), True),
    ],
    ids=lambda one: " ".join(one) if isinstance(one, tuple) else None,
)
def test_files_of_a_commit_are_lacking(done: tuple[str, ...], *, gone: bool, repo: Repo) -> None:
    repo.git(*done)
    if "--assume-unchanged" in done:
        (repo.path / "main.tf").unlink()
    assert lacking(repo.path, repo.git("rev-parse", "HEAD")) == Known(gone)


def test_a_deleted_file_is_lacking(repo: Repo) -> None:
    (repo.path / "main.tf").unlink()
    assert lacking(repo.path, repo.git("rev-parse", "HEAD")) == Known(value=True)


def test_where_git_does_not_say_what_it_ignores_that_is_unknown(repo: Repo) -> None:
    (repo.path / ".git/HEAD").write_text("nothing\n")
    told = ignored(repo.path, [PurePosixPath("main.tf")])
    assert isinstance(told, Unknown)
    assert told.why.startswith("git does not say what it ignores: fatal: not a git repository")


def test_a_file_differs_when_its_bytes_are_not_those_of_the_commit(repo: Repo) -> None:
    commit = repo.commit({"two\nheld.tf": "a = 1\n"}, "An odd name")
    files = {
        PurePosixPath("main.tf"): b"a = 1\n",
        PurePosixPath("two\nheld.tf"): b"a = 1\n",
        PurePosixPath("crlf.tf"): b"a = 1\r\n",
        PurePosixPath(".gitignore"): b"*.tfvars",
        PurePosixPath("new.tf"): b"",
        PurePosixPath("two\nlines.tf"): b"",
    }
    assert differing(repo.path, commit, files) == Known(
        frozenset(PurePosixPath(name) for name in (".gitignore", "new.tf", "two\nlines.tf"))
    )
    assert isinstance(differing(repo.path.parent, commit, files), Unknown)


def test_a_blob_id_is_git_s(repo: Repo) -> None:
    assert blob_id(b"a = 1\n") == repo.git("rev-parse", "HEAD:main.tf")


def test_a_branch_moves_only_from_where_it_was_seen(repo: Repo) -> None:
    first = repo.git("rev-parse", "HEAD")
    second = repo.git("commit-tree", "-p", first, "-m", "Second", "HEAD^{tree}")
    move_branch(repo.path, "tfrelock/default/prepare", first, None)
    with pytest.raises(RelockError):
        move_branch(repo.path, "tfrelock/default/prepare", second, None)
    move_branch(repo.path, "tfrelock/default/prepare", second, first)
    with pytest.raises(RelockError):
        move_branch(repo.path, "tfrelock/default/prepare", second, first)
    assert repo.git("rev-parse", "tfrelock/default/prepare") == second


def test_a_branch_that_is_checked_out_does_not_move(repo: Repo, tmp_path: Path) -> None:
    repo.git("worktree", "add", "-q", "-b", "mine", str(tmp_path / "w"))
    first = repo.git("rev-parse", "HEAD")
    for branch in ("main", "mine"):
        with pytest.raises(RelockError, match=f"the branch {branch} is checked out"):
            move_branch(repo.path, branch, first, first)
