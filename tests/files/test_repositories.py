"""PATH arguments to repositories, with folders as they lie about."""

from pathlib import Path

import pytest

from migrate.files import discover

ORIGIN = '[remote "origin"]\n\turl = git@github.com:acme/net.git\n'


def make(folder: Path, *files: str) -> None:
    for name in files:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(ORIGIN if name.endswith(".git/config") else "")


def seen(*paths: Path) -> list[tuple[str, str, bool, list[str]]]:
    found = discover([str(path) for path in paths])
    return [(r.id, r.root.name, r.git, [str(path) for path in r.within]) for r in found.repositories]


@pytest.mark.parametrize(
    ("paths", "repositories"),
    [
        (["net"], [("github.com/acme/net", "net", True, [])]),
        (["net/prod"], [("github.com/acme/net", "net", True, ["prod"])]),
        (["net/prod/main.tf"], [("github.com/acme/net", "net", True, ["prod/main.tf"])]),
        (["net/prod", "net/stage"], [("github.com/acme/net", "net", True, ["prod", "stage"])]),
        (["net/prod", "net/prod/main.tf"], [("github.com/acme/net", "net", True, ["prod"])]),
        (["net", "net/prod"], [("github.com/acme/net", "net", True, [])]),
        (["net/.git"], [("github.com/acme/net", "net", True, [])]),
        (["plain"], [("plain", "plain", False, [])]),
        (["plain/a"], [("a", "a", False, [])]),
        (["plain", "plain/a"], [("plain", "plain", False, [])]),
        (["."], [("top", "top", False, [])]),
        ([".", "net/prod"], [("top", "top", False, []), ("github.com/acme/net", "net", True, [])]),
        (["bare"], [("bare", "bare", True, [])]),
    ],
)
def test_a_path_names_the_repository_around_it(
    paths: list[str], repositories: list[tuple[str, str, bool, list[str]]], tmp_path: Path
) -> None:
    top = tmp_path / "top"
    make(top, "net/.git/config", "net/prod/main.tf", "net/stage/main.tf", "plain/a/main.tf", "bare/.git/HEAD")
    assert seen(*(top / path for path in paths)) == repositories


def test_a_path_that_names_nothing_is_said(tmp_path: Path) -> None:
    absent = str(tmp_path / "absent")
    assert discover([absent]).missing == (absent,)


def test_two_checkouts_of_one_repository_are_told_apart(tmp_path: Path) -> None:
    make(tmp_path, "a/.git/config", "b/.git/config")
    assert [name for name, *_ in seen(tmp_path / "b", tmp_path / "a")] == [
        "github.com/acme/net",
        "github.com/acme/net#2",
    ]


def test_a_submodule_and_a_linked_work_tree_know_their_origin(tmp_path: Path) -> None:
    make(tmp_path, "main/.git/config", "main/.git/worktrees/w/HEAD", "main/sub/x", "w/x")
    (tmp_path / "main/.git/worktrees/w/commondir").write_text("../..\n")
    (tmp_path / "w/.git").write_text(f"gitdir: {tmp_path}/main/.git/worktrees/w\n")
    (tmp_path / "main/sub/.git").write_text("gitdir: ../.git/\n")
    assert [name for name, *_ in seen(tmp_path / "w")] == ["github.com/acme/net"]
    assert [name for name, *_ in seen(tmp_path / "main/sub")] == ["github.com/acme/net"]


def test_a_path_that_is_a_symlink_is_the_real_folder(tmp_path: Path) -> None:
    make(tmp_path, "net/.git/config", "net/prod/main.tf")
    (tmp_path / "link").symlink_to("net/prod")
    assert seen(tmp_path / "link") == [("github.com/acme/net", "net", True, ["prod"])]
