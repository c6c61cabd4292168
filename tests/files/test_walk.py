"""What a walk gives, on real folders."""

import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

import pytest
from msgspec.structs import replace

from migrate.files import Interest, Item, Left, Linked, Names, Noted, Opened, Read, Unreadable, discover, walk
from migrate.files.reading import HEAD, LARGE
from tests import permissions

INTEREST = Interest(
    tokens=(b"backend", b"dynamodb_table"),
    read=Names(frozenset({".terraform-version"}), (".tfbackend",)),
    note=Names(frozenset({".terraform.lock.hcl"}), (".tfvars",)),
)
ROOT = Path(__file__).parents[2]
BACKEND = b'terraform {\n  backend "s3" {}\n}\n'


@pytest.fixture
def repo(tmp_path: Path) -> Path:
    root = tmp_path / "net"
    (root / ".git").mkdir(parents=True)
    return root


def put(root: Path, name: str, data: bytes = BACKEND) -> Path:
    path = root / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    return path


def items(*paths: Path) -> list[tuple[str, Item]]:
    found = discover([str(path) for path in paths])
    with walk(found.repositories, INTEREST, lambda _, read: read) as walked:
        return sorted(((repository.id, item) for repository, item in walked), key=repr)


def seen(*paths: Path) -> list[Item]:
    return [item for _, item in items(*paths) if not isinstance(item, Opened)]


def read(name: str, data: bytes = BACKEND) -> Read:
    return Read(PurePosixPath(name), data)


WIDE = BACKEND.decode().encode("utf-16-be")


@pytest.mark.parametrize(
    ("name", "data", "item"),
    [
        ("a/main.tf", BACKEND, read("a/main.tf")),
        ("a/main.tf", b'resource "x" "y" {}\n', None),
        ("Makefile", b"init:\n\t-backend-config=x\n", read("Makefile", b"init:\n\t-backend-config=x\n")),
        (".github/workflows/x.yml", b"dynamodb_table", read(".github/workflows/x.yml", b"dynamodb_table")),
        (".terraform-version", b"1.5.7\n", read(".terraform-version", b"1.5.7\n")),
        ("prod.tfbackend", b"", read("prod.tfbackend", b"")),
        (".terraform.lock.hcl", b"", Noted(PurePosixPath(".terraform.lock.hcl"))),
        ("prod.tfvars", b"a = 1", Noted(PurePosixPath("prod.tfvars"))),
        ("prod.tfvars", b"backend = 1", read("prod.tfvars", b"backend = 1")),
        (".git/config", BACKEND, None),
        ("picture.png", b"\x89PNG\0backend", Left(PurePosixPath("picture.png"), "binary")),
        ("picture.png", b"\x89PNG\0other", None),
        ("wide.tf", BACKEND.decode().encode("utf-16"), read("wide.tf", BACKEND.decode().encode("utf-16"))),
        ("bare.tf", WIDE, read("bare.tf", WIDE)),
        (".DS_Store", b"\0\0\0\1Bud1" + WIDE, Left(PurePosixPath(".DS_Store"), "binary")),
        ("sans.ttf", b"\0\1\0\0\0\20\1\0" + WIDE, Left(PurePosixPath("sans.ttf"), "binary")),
        ("latin.tf", b"# \xe9\n" + BACKEND, read("latin.tf", b"# \xe9\n" + BACKEND)),
        ("empty.tf", b"", None),
        ("straddles.tf", b"#" * (HEAD - 3) + BACKEND, read("straddles.tf", b"#" * (HEAD - 3) + BACKEND)),
        ("late.tf", b"#" * (3 * HEAD) + BACKEND, read("late.tf", b"#" * (3 * HEAD) + BACKEND)),
        ("exact.tf", BACKEND.ljust(HEAD), read("exact.tf", BACKEND.ljust(HEAD))),
    ],
)
def test_a_file_is_given_when_it_holds_a_token_or_its_name_is_wanted(
    name: str, data: bytes, item: Item | None, repo: Path
) -> None:
    put(repo, name, data)
    assert seen(repo) == ([item] if item else [])


def test_in_some_files_only_few_tokens_count(repo: Path) -> None:
    for name in ("main.tf", "Makefile", "wide.tf"):
        data = b"dynamodb_table" if name != "wide.tf" else "dynamodb_table".encode("utf-16")
        put(repo, name, data)
    put(repo, "backend.tf")
    few = replace(INTEREST, among=Names(endings=(".tf",)), few=(b"backend",))
    with walk(discover([str(repo)]).repositories, few, lambda _, read: read) as walked:
        assert sorted(str(item.path) for _, item in walked if isinstance(item, Read)) == [
            "Makefile",
            "backend.tf",
        ]


def test_a_large_file_is_searched_without_being_held(repo: Path) -> None:
    with put(repo, "dump.sql").open("wb") as file:
        file.truncate(LARGE + 1)
        file.write(b"x" * HEAD)
    assert seen(repo) == []


def test_a_large_file_that_holds_a_token_is_said(repo: Path) -> None:
    with put(repo, "dump.sql").open("wb") as file:
        file.write(b"x" * HEAD)
        file.truncate(LARGE + 1)
        file.seek(LARGE - 3)
        file.write(b"backend")
    assert seen(repo) == [
        Unreadable(PurePosixPath("dump.sql"), "holds a name we look for, but is larger than 16 MB")
    ]


def test_a_large_file_whose_name_is_wanted_is_said_and_never_taken_for_an_empty_one(repo: Path) -> None:
    with put(repo, "prod.tfbackend").open("wb") as file:
        file.truncate(LARGE + 1)
    (item,) = seen(repo)
    assert isinstance(item, Unreadable)


@pytest.mark.parametrize("folder", [".terraform", ".terragrunt-cache", "node_modules"])
def test_folders_of_copies_are_left_and_said(folder: str, repo: Path) -> None:
    put(repo, f"a/{folder}/x/main.tf")
    assert seen(repo) == [Left(PurePosixPath("a", folder), "copies")]


def test_repositories_in_a_repository_are_left_and_said(repo: Path) -> None:
    put(repo, "clone/main.tf")
    put(repo, "clone/.git/HEAD")
    put(repo, "module/main.tf")
    put(repo, "module/.git", b"gitdir: ../.git/modules/module\n")
    assert seen(repo) == [
        Left(PurePosixPath("clone"), "repository"),
        Left(PurePosixPath("module"), "submodule"),
    ]


def test_a_symlink_in_the_repository_leads_to_the_real_file_which_is_read_once(repo: Path) -> None:
    put(repo, "common/backend.tf")
    for link in ("a/backend.tf", "b/backend.tf"):
        (repo / link).parent.mkdir()
        (repo / link).symlink_to("../common/backend.tf")
    (repo / "c").symlink_to("common")
    (repo / "common/loop").symlink_to("..")
    assert seen(repo) == [
        Linked(PurePosixPath("a/backend.tf"), PurePosixPath("common/backend.tf")),
        Linked(PurePosixPath("b/backend.tf"), PurePosixPath("common/backend.tf")),
        Linked(PurePosixPath("c"), PurePosixPath("common")),
        Linked(PurePosixPath("common/loop"), PurePosixPath()),
        read("common/backend.tf"),
    ]


def test_a_symlink_out_of_the_repository_is_left_and_said(repo: Path) -> None:
    put(repo.parent, "secret/main.tf")
    (repo / "file.tf").symlink_to(repo.parent / "secret/main.tf")
    (repo / "folder").symlink_to("../secret")
    (repo / "git").symlink_to(".git")
    (repo / "nothing.tf").symlink_to("absent.tf")
    (repo / "vendored.tf").symlink_to(".terraform/modules/x/main.tf")
    assert seen(repo) == [
        Left(PurePosixPath("file.tf"), "outside"),
        Left(PurePosixPath("folder"), "outside"),
        Left(PurePosixPath("git"), "outside"),
        Left(PurePosixPath("nothing.tf"), "broken"),
        Left(PurePosixPath("vendored.tf"), "copies"),
    ]
    assert Left(PurePosixPath("file.tf"), "outside").why == "a symlink out of the repository"


def test_pipes_and_sockets_are_never_opened(repo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    os.mkfifo(repo / "main.tf")
    monkeypatch.chdir(repo)  # the address of a socket is short, the path of a temporary folder need not be
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind("agent")
        assert seen(repo) == [
            Left(PurePosixPath("agent"), "special"),
            Left(PurePosixPath("main.tf"), "special"),
        ]


@pytest.fixture
def locked(repo: Path) -> Iterator[Path]:
    put(repo, "a.tf").chmod(0)
    put(repo, "b/main.tf").parent.chmod(0)
    with permissions.binding():
        yield repo
    (repo / "b").chmod(0o755)


def test_what_may_not_be_read_is_said(locked: Path) -> None:
    assert seen(locked) == [
        Unreadable(PurePosixPath("a.tf"), "permission denied"),
        Unreadable(PurePosixPath("b"), "permission denied"),
    ]


def test_names_that_are_not_utf_8_are_kept_losslessly(repo: Path) -> None:
    name = b"caf\xe9\x1b[31m.tf"
    try:
        put(repo, os.fsdecode(name))
    except OSError:
        pytest.skip("this file system takes only UTF-8 names")
    (item,) = seen(repo)
    assert isinstance(item, Read)
    assert os.fsencode(item.path) == name


def test_a_folder_of_clones_gives_each_clone_and_is_none_itself(tmp_path: Path) -> None:
    for name in ("acme/net", "acme/app"):
        put(tmp_path, f"clones/{name}/main.tf")
        put(tmp_path, f"clones/{name}/.git/HEAD", b"")
    put(tmp_path, "clones/README", b"our clones")
    put(tmp_path, "clones/node_modules/x.tf")
    (tmp_path / "clones/current").symlink_to("acme/net")
    assert items(tmp_path / "clones") == [
        ("app", Opened()),
        ("app", read("main.tf")),
        ("net", Opened()),
        ("net", read("main.tf")),
    ]


def test_a_folder_of_clones_is_one_too_when_something_lies_loose_in_it(tmp_path: Path) -> None:
    put(tmp_path, "clones/net/main.tf")
    put(tmp_path, "clones/net/.git/HEAD", b"")
    put(tmp_path, "clones/loose/main.tf")
    assert items(tmp_path / "clones") == [
        ("clones", Opened()),
        ("clones", read("loose/main.tf")),
        ("net", Opened()),
        ("net", read("main.tf")),
    ]


def test_a_plain_folder_is_one_repository_even_when_nothing_is_in_it(tmp_path: Path) -> None:
    assert items(tmp_path) == [(tmp_path.name, Opened())]


def test_a_repository_is_walked_as_a_whole_whatever_part_of_it_is_meant(repo: Path) -> None:
    put(repo, "a/main.tf")
    put(repo, "b/main.tf")
    assert seen(repo / "a") == [read("a/main.tf"), read("b/main.tf")]


def test_one_file_of_a_plain_folder_is_walked_alone(tmp_path: Path) -> None:
    path = put(tmp_path, "a/main.tf")
    put(tmp_path, "a/other.tf")
    assert items(path) == [("a", Opened()), ("a", read("main.tf"))]


def test_a_large_tree_is_read_by_several_processes_and_nothing_is_lost(repo: Path) -> None:
    wanted = []
    for folder in range(200):
        for number in range(12):
            put(repo, f"d{folder}/f{number}.tf", BACKEND if number == 0 else b"#")
        wanted.append(read(f"d{folder}/f0.tf"))
    assert seen(repo) == sorted(wanted, key=repr)


def alone(repo: Path, program: str) -> list[str]:
    """What a program prints where no thread is beside it, which a fork asks for; `found` is the tree."""
    start = f"""
import os, sys
from migrate.files import discover, walk
from tests.files.test_walk import INTEREST, children
found = discover([sys.argv[1]]).repositories
{program}"""
    said = subprocess.run(
        [sys.executable, "-c", start, str(repo)], capture_output=True, text=True, check=True, cwd=ROOT
    )
    return said.stdout.splitlines()


def test_a_walk_that_is_given_up_leaves_no_process_behind(repo: Path) -> None:
    for folder in range(200):
        for number in range(12):
            put(repo, f"d{folder}/f{number}.tf")
    program = """
with walk(found, INTEREST, lambda _, read: read) as walked:
    for _ in range(2300):
        next(walked)
    print(len(children()) > 0)
print(len(children()))
"""
    assert alone(repo, program) == ["True", "0"]


def children() -> set[str]:
    """The processes that this one has started."""
    listed = subprocess.run(
        ["ps", "-A", "-o", "pid=,ppid=,comm="], capture_output=True, text=True, check=True
    )
    rows = (line.split(maxsplit=2) for line in listed.stdout.splitlines())
    return {pid for pid, parent, name in rows if parent == str(os.getpid()) and name != "ps"}


def test_a_large_tree_is_read_by_many_processes_and_what_they_make_of_each_file_is_given(repo: Path) -> None:
    names = {f"team{number // 10}/{number}.tf" for number in range(2000)}
    for name in names:
        put(repo, name)
    program = """
with walk(found, INTEREST, lambda id_, read: f"{os.getpid()} {id_} {read.path}") as walked:
    for _, item in walked:
        if isinstance(item, str):
            print(item)
"""
    made = [line.split() for line in alone(repo, program)]
    assert sorted((id_, path) for _, id_, path in made) == [("net", name) for name in sorted(names)]
    assert len({process for process, *_ in made}) > 1
