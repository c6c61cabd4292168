"""One file that another file names."""

import os
from pathlib import Path, PurePosixPath

import pytest

from migrate.files import Item, Left, Read, Unreadable, discover, follow


def read(path: str) -> Read:
    return Read(PurePosixPath(path), b"bucket = 1")


@pytest.mark.parametrize(
    ("path", "item"),
    [
        ("env/prod.tfbackend", read("env/prod.tfbackend")),
        ("net/../env/prod.tfbackend", read("env/prod.tfbackend")),
        ("link.tfbackend", read("env/prod.tfbackend")),
        ("folder/prod.tfbackend", read("env/prod.tfbackend")),
        ("absent.tfbackend", None),
        ("absent/../env/prod.tfbackend", read("env/prod.tfbackend")),
        ("broken.tfbackend", Left(PurePosixPath("broken.tfbackend"), "broken")),
        ("../secret", Left(PurePosixPath("../secret"), "outside")),
        ("/etc/passwd", Left(PurePosixPath("/etc/passwd"), "outside")),
        ("out/secret", Left(PurePosixPath("out/secret"), "outside")),
        (".git/config", Left(PurePosixPath(".git/config"), "outside")),
        ("env", None),
        ("a\0b/prod.tfbackend", Left(PurePosixPath("a\0b/prod.tfbackend"), "outside")),
        ("a\ud800", Left(PurePosixPath("a\ud800"), "outside")),
        ("a" * 5000, None),
        ("pipe", Unreadable(PurePosixPath("pipe"), "not a regular file")),
    ],
)
def test_follow(path: str, item: Item | None, tmp_path: Path) -> None:
    root = tmp_path / "net"
    (root / "env").mkdir(parents=True)
    (root / ".git").mkdir()
    for name in ("net/env/prod.tfbackend", "secret", "net/.git/config"):
        (tmp_path / name).write_bytes(b"bucket = 1")
    (root / "link.tfbackend").symlink_to("env/prod.tfbackend")
    (root / "folder").symlink_to("env")
    (root / "out").symlink_to("..")
    (root / "broken.tfbackend").symlink_to("absent")
    os.mkfifo(root / "pipe")
    (repository,) = discover([str(root)]).repositories
    assert follow(repository, PurePosixPath(path)) == item
