"""Writing by rename: all files or none, whatever happens meanwhile."""

import errno
import os
import resource
import signal
import stat
import sys
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from types import FrameType

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from migrate.errors import RelockError
from migrate.files.write import Replacement, Unwritten, write
from tests import permissions

A, B = PurePosixPath("a.tf"), PurePosixPath("deep/b.tf")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "deep").mkdir()
    (tmp_path / A).write_bytes(b"old a")
    (tmp_path / B).write_bytes(b"old b")
    return tmp_path


BOTH = (Replacement(A, b"old a", b"new a"), Replacement(B, b"old b", b"new b"))


def contents(root: Path) -> dict[str, bytes]:
    return {str(path.relative_to(root)): path.read_bytes() for path in root.rglob("*") if path.is_file()}


OLD = {"a.tf": b"old a", "deep/b.tf": b"old b"}
NEW = {"a.tf": b"new a", "deep/b.tf": b"new b"}


def test_all_files_are_replaced_and_nothing_is_left_beside_them(root: Path) -> None:
    assert write(root, BOTH) is None
    assert contents(root) == NEW


def test_nothing_to_write_is_done(root: Path) -> None:
    assert write(root, ()) is None


@pytest.mark.parametrize("mode", [0o600, 0o644, 0o755, 0o664])
def test_mode_and_owner_stay(mode: int, root: Path) -> None:
    (root / A).chmod(mode)
    before = (root / A).stat()
    assert write(root, BOTH) is None
    after = (root / A).stat()
    assert (stat.S_IMODE(after.st_mode), after.st_uid, after.st_gid) == (mode, before.st_uid, before.st_gid)


def changed(root: Path) -> None:
    (root / B).write_bytes(b"old b, edited")


def removed(root: Path) -> None:
    (root / B).unlink()


def linked(root: Path) -> None:
    (root / B).rename(root / "real.tf")
    (root / B).symlink_to("../real.tf")


def folder_linked(root: Path) -> None:
    (root / "deep").rename(root / "elsewhere")
    (root / "deep").symlink_to("elsewhere")


def read_only(root: Path) -> None:
    (root / B).chmod(0o444)


def pipe(root: Path) -> None:
    (root / B).unlink()
    os.mkfifo(root / B)


@pytest.mark.parametrize(
    ("meanwhile", "why"),
    [
        (changed, "changed since it was read"),
        (removed, "vanished meanwhile"),
        (linked, "is reached over a symlink"),
        (folder_linked, "is reached over a symlink"),
        (read_only, "read-only"),
        (pipe, "not a regular file"),
    ],
)
def test_if_one_file_refuses_no_file_is_written(meanwhile: object, why: str, root: Path) -> None:
    assert callable(meanwhile)
    meanwhile(root)
    assert write(root, BOTH) == Unwritten(B, why)
    assert (root / A).read_bytes() == b"old a"
    assert not list(root.rglob(".tfrelock-*"))


@pytest.fixture
def sealed(root: Path) -> Iterator[Path]:
    (root / "deep").chmod(0o555)
    with permissions.binding():
        yield root
    (root / "deep").chmod(0o755)


def test_a_read_only_folder_is_said_and_nothing_is_written(sealed: Path) -> None:
    assert write(sealed, BOTH) == Unwritten(B, "permission denied")
    assert contents(sealed) == OLD


FAILING: set[int] = set()
"""Which renames of a disk that breaks fail, from the one that comes next as 1."""


def break_renames(event: str, _arguments: tuple[object, ...]) -> None:
    if event == "os.rename" and FAILING:
        fails = 1 in FAILING
        later = {number - 1 for number in FAILING if number > 1}
        FAILING.clear()
        FAILING.update(later)
        if fails:
            raise OSError(errno.EIO, os.strerror(errno.EIO))


sys.addaudithook(break_renames)


def test_a_rename_that_fails_puts_back_what_was_replaced(root: Path) -> None:
    FAILING.add(2)
    assert write(root, BOTH) == Unwritten(B, "input/output error")
    assert contents(root) == OLD


def test_what_cannot_be_put_back_is_named_with_its_way_back(root: Path) -> None:
    FAILING.update({2, 3})
    with pytest.raises(RelockError) as failed:
        write(root, BOTH)
    assert str(failed.value).splitlines() == [
        "a.tf: could not be put back after a failed write",
        "  try: git checkout -- a.tf",
    ]
    assert contents(root) == {**OLD, "a.tf": b"new a"}


def test_more_files_than_may_be_open_at_once_are_written_together(root: Path) -> None:
    changes = [Replacement(PurePosixPath(f"{n}/main.tf"), b"old", b"new") for n in range(200)]
    for change in changes:
        (root / change.path).parent.mkdir()
        (root / change.path).write_bytes(b"old")
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (100, hard))
    try:
        assert write(root, changes) is None
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    assert {(root / change.path).read_bytes() for change in changes} == {b"new"}


def test_a_name_as_long_as_names_get_is_written(root: Path) -> None:
    path = PurePosixPath("x" * 255)
    (root / path).write_bytes(b"old")
    assert write(root, [Replacement(path, b"old", b"new")]) is None
    assert (root / path).read_bytes() == b"new"


class Interrupted(BaseException):
    """As KeyboardInterrupt: raised between any two steps."""


def interrupt(_number: int, _frame: FrameType | None) -> None:
    raise Interrupted


# An interrupt between `open` and its first use leaves a descriptor to the garbage collector.
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_an_interrupt_at_any_moment_leaves_all_old_or_all_new(root: Path) -> None:
    before = signal.signal(signal.SIGALRM, interrupt)
    delay, interruptions, completed = 0.00002, 0, False
    try:
        while not completed:
            try:
                signal.setitimer(signal.ITIMER_REAL, delay)
                completed = write(root, BOTH) is None
                signal.setitimer(signal.ITIMER_REAL, 0)
            except Interrupted:
                interruptions += 1
            assert contents(root) in (OLD, NEW), f"interrupted after {delay} s"
            for name, data in OLD.items():
                (root / name).write_bytes(data)
            delay *= 1.02
    finally:
        signal.signal(signal.SIGALRM, before)
    assert interruptions > 20


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=50)
@given(before=st.binary(max_size=200), after=st.binary(max_size=200))
def test_undoing_gives_back_every_byte(before: bytes, after: bytes, root: Path) -> None:
    (root / A).write_bytes(before)
    assert write(root, [Replacement(A, before, after)]) is None
    assert (root / A).read_bytes() == after
    assert write(root, [Replacement(A, after, before)]) is None
    assert (root / A).read_bytes() == before
