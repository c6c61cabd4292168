"""Writing by rename: at every moment a file is the old or the new one, and several files are all or none."""

import errno
import os
import stat
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from pathlib import Path, PurePosixPath
from typing import Final

from msgspec import Struct, field

from migrate.errors import RelockError
from migrate.files.reading import FOLDER, read_whole, reason

_WRITABLE: Final = stat.S_IWUSR | stat.S_IWGRP | stat.S_IWOTH
_NEW: Final = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW


class Replacement(Struct, frozen=True):
    """One file and its new bytes. `before` is what was read; `path` is the real file in its repository."""

    path: PurePosixPath
    before: bytes
    after: bytes


class Unwritten(Struct, frozen=True):
    """Why nothing was written: the first file that stood in the way."""

    path: PurePosixPath
    why: str


class _Target(Struct, frozen=True):
    """A file about to be replaced, and the name of the new file beside it."""

    root: Path
    change: Replacement
    status: os.stat_result
    beside: str = field(default_factory=lambda: f".tfrelock-{os.urandom(8).hex()}")

    @property
    def name(self) -> str:
        return self.change.path.name

    def folder(self) -> AbstractContextManager[int]:
        return _folder(self.root, self.change.path)


@contextmanager
def _folder(root: Path, path: PurePosixPath) -> Iterator[int]:
    """The open folder of a file, no symlink on the way followed.

    For one act each: a change may have more files than a process may have open.
    """
    at = os.open(root, FOLDER)
    try:
        for part in path.parts[:-1]:
            above, at = at, os.open(part, FOLDER, dir_fd=at)
            os.close(above)
        yield at
    finally:
        os.close(at)


class _Stopped(Exception):  # noqa: N818 - never leaves this module
    def __init__(self, unwritten: Unwritten) -> None:
        super().__init__()
        self.unwritten = unwritten


def write(root: Path, changes: Sequence[Replacement]) -> Unwritten | None:
    """Replace all files or none; None: done.

    A file keeps its mode and owner. Refused when a file is not what was read, is read-only or is reached over
    a symlink. When writing fails or is interrupted, what was replaced already is put back.
    """
    try:
        _replace_all([_target(root, change) for change in changes])
    except _Stopped as stopped:
        return stopped.unwritten
    return None


@contextmanager
def _told(change: Replacement) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        over = error.errno in (errno.ELOOP, errno.ENOTDIR)
        raise _Stopped(
            Unwritten(change.path, "is reached over a symlink" if over else reason(error))
        ) from None


def _target(root: Path, change: Replacement) -> _Target:
    """See that the file is what was read, and may be written."""
    with _told(change), _folder(root, change.path) as at:
        status = os.stat(change.path.name, dir_fd=at, follow_symlinks=False)
        if read_whole(change.path.name, at) != change.before:
            raise OSError(errno.ESTALE, "changed since it was read")
        if not status.st_mode & _WRITABLE:
            raise OSError(errno.EACCES, "read-only")
        return _Target(root, change, status)


def _replace_all(targets: Sequence[_Target]) -> None:
    replaced: list[_Target] = []
    try:
        for target in targets:
            with _told(target.change):
                _prepare(target, target.change.after)
        for target in targets:
            replaced.append(target)  # before the rename: an interrupt may come right after it
            with _told(target.change):
                _rename(target)
    except BaseException:
        _put_back(replaced)
        raise
    finally:
        for target in targets:
            _discard(target)


def _prepare(target: _Target, data: bytes) -> None:
    with target.folder() as at, os.fdopen(os.open(target.beside, _NEW, 0o600, dir_fd=at), "wb") as file:
        file.write(data)
        with suppress(PermissionError):  # only root may give a file away; what it edits stays its owner's
            os.fchown(file.fileno(), target.status.st_uid, target.status.st_gid)
        os.fchmod(file.fileno(), stat.S_IMODE(target.status.st_mode))
        file.flush()
        os.fsync(file.fileno())


def _rename(target: _Target) -> None:
    with target.folder() as at:
        os.replace(target.beside, target.name, src_dir_fd=at, dst_dir_fd=at)
        os.fsync(at)


def _put_back(replaced: Sequence[_Target]) -> None:
    lost = []
    for target in replaced:
        try:
            _discard(target)
            _prepare(target, target.change.before)
            _rename(target)
        except OSError:
            lost.append(str(target.change.path))
    if lost:
        raise RelockError(
            "could not be put back after a failed write", ", ".join(lost), f"git checkout -- {' '.join(lost)}"
        )


def _discard(target: _Target) -> None:
    with suppress(OSError), target.folder() as at:
        os.unlink(target.beside, dir_fd=at)
