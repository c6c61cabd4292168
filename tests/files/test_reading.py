"""Reading one file that was there a moment ago."""

import os
from pathlib import Path

import pytest

from migrate.files.items import Entry, Interest
from migrate.files.reading import Sought, Tree, look, read_whole, reason

INTEREST = Interest((b"backend",))
SOUGHT = Sought.of(INTEREST.tokens)


def vanish(path: Path) -> None:
    path.unlink()


def become_a_symlink(path: Path) -> None:
    path.unlink()
    path.symlink_to("/etc/hosts")


@pytest.mark.parametrize(
    ("meanwhile", "why"),
    [(vanish, "vanished meanwhile"), (become_a_symlink, "became a symlink while it was read")],
)
def test_a_file_that_changed_since_it_was_listed_is_said(meanwhile: object, why: str, tmp_path: Path) -> None:
    path = tmp_path / "main.tf"
    path.write_bytes(b"backend")
    tree = Tree(0, str(tmp_path), git=True, interest=INTEREST, sought=SOUGHT, few=SOUGHT)
    at = os.open(tmp_path, os.O_RDONLY)
    try:
        assert callable(meanwhile)
        meanwhile(path)
        assert look(tree, at, "main.tf", "main.tf") == Entry(0, "main.tf", "unreadable", text=why)
    finally:
        os.close(at)


def test_a_pipe_in_place_of_a_file_does_not_hang(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "main.tf")
    with pytest.raises(OSError, match="not a regular file"):
        read_whole(str(tmp_path / "main.tf"))


def test_other_reasons_are_the_system_s_own() -> None:
    assert reason(OSError(5, "Input/output error")) == "input/output error"
