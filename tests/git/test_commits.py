"""Reading trees and making commits beside a work tree, with real git."""

import stat
from pathlib import Path, PurePosixPath

import pytest
from msgspec.structs import replace

from migrate.errors import RelockError
from migrate.git.checkout import blob_id, move_branch
from migrate.git.commits import Author, Draft, Touched, commit, log, merge_base, merged, patch, user
from migrate.git.own import Leaf, Own, blobs, borrow, holding, publish, tree
from tests import permissions
from tests.repo import ODD, Repo, make

KIM = Author("Kim Example", "kim@acme.example")
WHEN = "1700000000 +0000"
FILES = {
    "main.tf": b'backend "s3"\r\n',
    "a/run.sh": b"#!/bin/sh\n",
    f"{ODD}.tf": b"dynamodb_table\n",
    "picture": b"\0backend",
}
MAIN = PurePosixPath("main.tf")


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    repo = make(tmp_path / "a:net", FILES)
    (repo.path / "a/run.sh").chmod(0o755)
    (repo.path / "link.tf").symlink_to("main.tf")
    repo.commit({}, "Files")
    return repo


@pytest.fixture
def own(repo: Repo, tmp_path: Path) -> Own:
    (tmp_path / "scratch").mkdir()
    return borrow(repo.path, tmp_path / "scratch")


def head(repo: Repo) -> str:
    return repo.git("rev-parse", "HEAD")


def draft(parent: str, files: dict[str, bytes], message: str = "Lock both\n") -> Draft:
    return Draft(parent, {PurePosixPath(name): data for name, data in files.items()}, message, KIM, WHEN)


def test_a_tree_lists_every_file_with_mode_blob_and_size(repo: Repo, own: Own) -> None:
    assert tree(own, head(repo)) == {
        **{
            PurePosixPath(name): Leaf("100755" if name == "a/run.sh" else "100644", blob_id(data), len(data))
            for name, data in FILES.items()
        },
        PurePosixPath("link.tf"): Leaf("120000", blob_id(b"main.tf"), 7),
    }


def test_blobs_are_read_as_stored_and_missing_ones_left_out(own: Own) -> None:
    ids = [blob_id(data) for data in FILES.values()]
    assert blobs(own, [*ids, "0" * 40, *ids]) == dict(zip(ids, FILES.values(), strict=True))


def test_text_files_that_hold_a_token_are_found_in_a_commit(repo: Repo, own: Own) -> None:
    found = holding(own, head(repo), [b"backend", b"dynamodb_table"])
    assert set(found) == {MAIN, PurePosixPath(f"{ODD}.tf")}
    assert holding(own, head(repo), [b"absent"]) == ()
    assert holding(own, head(repo), [b"absent\n", b"backend\r\n"]) == (MAIN,)


def test_a_commit_holds_exactly_the_new_bytes_and_keeps_modes(repo: Repo, own: Own) -> None:
    base = head(repo)
    changed = {
        "main.tf": b"both\r\n",
        "a/run.sh": b"#!/bin/sh\ntrue\n",
        f"{ODD}.tf": b"x",
        "b/new.tf": b"",
    }
    tip = commit(own, draft(base, changed))
    assert blobs(own, [leaf.blob for leaf in tree(own, tip).values()]).keys() >= {blob_id(b"both\r\n")}
    modes = {str(path): (leaf.mode, leaf.blob) for path, leaf in tree(own, tip).items()}
    assert modes == {
        "main.tf": ("100644", blob_id(b"both\r\n")),
        "a/run.sh": ("100755", blob_id(b"#!/bin/sh\ntrue\n")),
        f"{ODD}.tf": ("100644", blob_id(b"x")),
        "picture": ("100644", blob_id(b"\0backend")),
        "b/new.tf": ("100644", blob_id(b"")),
        "link.tf": ("120000", blob_id(b"main.tf")),
    }


def test_names_of_people_and_files_are_kept_apart_from_the_rest(repo: Repo, own: Own) -> None:
    odd = {'a "b" \\ c/e.tf': b"x\n", "-d": b"data 3\nabc"}
    person = Author("Ada <Acme>\nauthor Eve", "ada@acme.example>")
    made = replace(draft(head(repo), odd, "One\n\nM 100644 inline x\n"), author=person)
    tip = commit(own, made)
    said = own.get("log", "-1", "--format=%an|%ae|%cn|%B", tip).decode()
    assert said.startswith(
        "Ada Acmeauthor Eve|ada@acme.example|Ada Acmeauthor Eve|One\n\nM 100644 inline x\n"
    )
    assert blobs(own, [f"{tip}:{name}" for name in odd]) == {f"{tip}:{n}": d for n, d in odd.items()}


def test_the_same_draft_gives_the_same_commit(repo: Repo, own: Own) -> None:
    one, other = (commit(own, draft(head(repo), {"main.tf": b"both\n"})) for _ in range(2))
    assert one == other


def test_a_symlink_is_never_written_over(repo: Repo, own: Own) -> None:
    with pytest.raises(RelockError, match=r"link\.tf: is no plain file in the commit"):
        commit(own, draft(head(repo), {"link.tf": b"x"}))


def test_the_checkout_sees_nothing_before_publish_and_only_a_branch_after(repo: Repo, own: Own) -> None:
    def state() -> tuple[str, bytes, str, str]:
        index = (repo.path / ".git/index").read_bytes()
        return repo.git("for-each-ref"), index, repo.git("status", "--porcelain"), head(repo)

    base, before = head(repo), state()
    objects = sorted(path.name for path in (repo.path / ".git/objects").rglob("*"))
    tip = commit(own, draft(base, {"main.tf": b"both\n"}))
    assert sorted(path.name for path in (repo.path / ".git/objects").rglob("*")) == objects
    publish(own, tip, base)
    assert state() == before
    move_branch(repo.path, "tfrelock/default/prepare", tip, None)
    assert repo.git("show", "tfrelock/default/prepare:main.tf") == "both"
    assert state()[1:] == before[1:]
    repo.git("fsck", "--strict")


def test_log_tells_trailers_and_what_each_commit_touched(repo: Repo, own: Own) -> None:
    base = head(repo)
    first = commit(own, draft(base, {"main.tf": b"1", "b.tf": b"b"}, "One\n\nWhy.\n\nRelock-Change: abc\n"))
    second = commit(own, draft(first, {"main.tf": b"2"}, "Two\n\nRelock-Change: x\nRelock-Change: y\n"))
    one, two = log(own, base, second)
    assert (one.commit, one.parents, one.trailer("Relock-Change")) == (first, (base,), "abc")
    assert (two.commit, two.parents, two.trailer("Relock-Change")) == (second, (first,), None)
    assert one.touched == (
        Touched(PurePosixPath("b.tf"), None, blob_id(b"b"), same_mode=False),
        Touched(MAIN, blob_id(FILES["main.tf"]), blob_id(b"1")),
    )
    assert merge_base(own, second, base) == base


@pytest.mark.parametrize(("theirs", "expected"), [({"b.tf": "b"}, ["b.tf", "c.tf"]), ({"c.tf": "b"}, None)])
def test_a_merge_is_told_and_none_is_where_commits_conflict(
    theirs: dict[str, str], expected: list[str] | None, repo: Repo, own: Own
) -> None:
    base = head(repo)
    ours = commit(own, draft(base, {"c.tf": b"c"}))
    other = commit(own, draft(base, {name: text.encode() for name, text in theirs.items()}))
    found = merged(own, other, ours)
    added = tree(own, found).keys() - tree(own, base).keys() if found else None
    assert added == (expected and set(map(PurePosixPath, expected)))


def test_unrelated_commits_have_no_merge_base(repo: Repo, own: Own) -> None:
    other = repo.git("commit-tree", "-m", "Other", "HEAD^{tree}")
    assert merge_base(own, head(repo), other) is None
    assert merged(own, head(repo), other) is None


def test_a_long_foreign_branch_is_refused(repo: Repo, own: Own) -> None:
    base = tip = head(repo)
    for number in range(101):
        tip = repo.git("commit-tree", "-p", tip, "-m", str(number), "HEAD^{tree}")
    with pytest.raises(RelockError, match="more than 100 commits"):
        log(own, base, tip)


def test_a_patch_is_taken_by_git_am(repo: Repo, own: Own) -> None:
    base = head(repo)
    first = commit(own, draft(base, {"main.tf": b"both\r\n"}, "One\n\nRelock-Change: abc\n"))
    tip = commit(own, draft(first, {"picture": b"\0other"}, "Two\n"))
    repo.git("am", "--keep-cr", "-q", stdin=patch(own, base, tip))
    assert repo.git("rev-parse", "HEAD^{tree}") == own.get("rev-parse", f"{tip}^{{tree}}").decode().strip()
    assert repo.git("log", "-2", "--format=%an %s") == "Kim Example Two\nKim Example One"


def test_a_shallow_clone_gets_commits_too(repo: Repo, tmp_path: Path) -> None:
    Repo(tmp_path).git("clone", "-q", "--depth=1", f"file://{repo.path}", "shallow")
    (tmp_path / "s").mkdir()
    shallow = Repo(tmp_path / "shallow")
    own = borrow(shallow.path, tmp_path / "s")
    base = head(shallow)
    tip = commit(own, draft(base, {"main.tf": b"both\n"}))
    assert [entry.commit for entry in log(own, base, tip)] == [tip]
    publish(own, tip, base)
    assert shallow.git("show", f"{tip}:main.tf") == "both"


def test_a_sha256_repository_gets_commits_too(tmp_path: Path) -> None:
    repo = make(tmp_path / "modern", {"main.tf": "table\n"}, ids="sha256")
    own = borrow(repo.path, tmp_path)
    tip = commit(own, draft(head(repo), {"main.tf": b"both\n"}))
    publish(own, tip, head(repo))
    assert repo.git("show", f"{tip}:main.tf") == "both"


def test_what_is_no_repository_cannot_be_borrowed(tmp_path: Path) -> None:
    with pytest.raises(RelockError, match="not a git repository"):
        borrow(tmp_path, tmp_path)


@pytest.mark.parametrize("folder", ["a\u2028b", "a\fb"])
def test_a_folder_with_an_odd_name_can_be_borrowed(folder: str, tmp_path: Path) -> None:
    repo = make(tmp_path / folder, {"main.tf": "table\n"})
    assert borrow(repo.path, tmp_path).get("show", f"{head(repo)}:main.tf") == b"table\n"


def test_a_folder_with_a_line_end_in_its_name_is_said(tmp_path: Path) -> None:
    with pytest.raises(RelockError, match="there is a line end in its path"):
        borrow(make(tmp_path / "a\nb", {}).path, tmp_path)


def test_a_read_only_repository_is_said(repo: Repo, own: Own) -> None:
    base = head(repo)
    tip = commit(own, draft(base, {"main.tf": b"both\n"}))
    folders = [
        path
        for path in (repo.path / ".git/objects", *(repo.path / ".git/objects").iterdir())
        if path.is_dir()
    ]
    for folder in folders:
        folder.chmod(stat.S_IRUSR | stat.S_IXUSR)
    try:
        with permissions.binding(), pytest.raises(RelockError, match="cannot write to the repository"):
            publish(own, tip, base)
    finally:
        for folder in folders:
            folder.chmod(stat.S_IRWXU)


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "home"
    folder.mkdir()
    monkeypatch.setenv("HOME", str(folder))
    for name in ("XDG_CONFIG_HOME", "GIT_CONFIG_GLOBAL"):
        monkeypatch.delenv(name, raising=False)
    return folder


def test_who_commits_is_the_user_s_own_configuration_not_the_checkout_s(
    repo: Repo, own: Own, home: Path
) -> None:
    repo.git("config", "user.name", "Mallory")
    repo.git("config", "commit.gpgsign", "true")
    (home / ".gitconfig").write_text("[user]\nname = Kim Example\nemail = kim@acme.example\n")
    assert user(own) == Author("Kim Example", "kim@acme.example", sign=False)
    (home / ".gitconfig").write_text(
        "[user]\nname = Kim Example\nemail = k@acme.example\n[commit]\ngpgsign = on\n"
    )
    assert user(own) == Author("Kim Example", "k@acme.example", sign=True)


def test_a_user_without_a_name_is_told(own: Own, home: Path) -> None:
    with pytest.raises(RelockError) as raised:
        user(own)
    assert str(raised.value) == ("git does not know who commits\n  try: git config --global user.name …")


def test_a_commit_is_signed_with_the_user_s_own_program(repo: Repo, own: Own, home: Path) -> None:
    signer = home / "signer"
    signer.write_text(
        "#!/bin/sh\ncat > /dev/null\necho '[GNUPG:] SIG_CREATED ' >&2\n"
        "echo '-----BEGIN PGP SIGNATURE-----'\necho x\necho '-----END PGP SIGNATURE-----'\n"
    )
    signer.chmod(0o755)
    repo.git("config", "gpg.program", "/nonexistent")
    (home / ".gitconfig").write_text(f"[gpg]\nprogram = {signer}\n")
    signing = Author("Kim Example", "kim@acme.example", sign=True)
    made = Draft(head(repo), {MAIN: b"both\n"}, "Lock both\n", signing, WHEN)
    assert b"gpgsig -----BEGIN PGP SIGNATURE-----" in own.get("cat-file", "commit", commit(own, made))
