"""One folder: what stands in it, and which of its files hold what we look for.

Three system calls a file (`open`, `read`, `close`) and literal tests with `in` are what keeps pace with `rg`.
"""

import errno
import os
import stat
from collections.abc import Iterator
from typing import Final, NamedTuple

from migrate.files.items import Entry, Interest, Kind
from migrate.files.names import SKIPPED

HEAD: Final = 1 << 14  # a larger buffer costs more to allocate than a second read of the few longer files
LARGE: Final = 1 << 24
_PIECE: Final = 1 << 20
_FILE: Final = (
    os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_NOCTTY
)  # NONBLOCK: a pipe put here meanwhile
_FOLDER: Final = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW
_UTF_16: Final = (b"\xff\xfe", b"\xfe\xff")


class Tree(NamedTuple):
    """One repository to walk. `root` is a real path."""

    number: int
    root: str
    git: bool
    interest: Interest
    wide: tuple[bytes, ...]

    def entry(self, path: str, kind: Kind, text: str = "") -> Entry:
        return Entry(self.number, path, kind, text=text)


class Visit(NamedTuple):
    """What one folder gave, the folders in it to visit, and how many files it holds."""

    entries: list[Entry]
    deeper: list[str]
    files: int


def visit(tree: Tree, folder: str) -> Visit:
    """Read one folder of `tree`, or one file; `folder` is relative to its root, empty for the root."""
    try:
        at = os.open(f"{tree.root}/{folder}", _FOLDER)
    except NotADirectoryError:
        return _one_file(tree, folder)
    except OSError as error:
        return Visit([tree.entry(folder, "unreadable", reason(error))], [], 0)
    try:
        with os.scandir(at) as listing:
            found = list(listing)
        if folder and (git := next((entry for entry in found if entry.name == ".git"), None)):
            return Visit([tree.entry(folder, _nested(tree, git))], [], 0)
        return _contents(tree, folder, at, found)
    finally:
        os.close(at)


def _one_file(tree: Tree, path: str) -> Visit:
    """A PATH may name one file; it stands among the folders to visit."""
    folder, name = os.path.split(path)
    at = os.open(f"{tree.root}/{folder}", _FOLDER)
    try:
        entry = look(tree, at, name, path)
        return Visit([entry] if entry else [], [], 1)
    finally:
        os.close(at)


def _nested(tree: Tree, git: os.DirEntry[str]) -> Kind:
    if not tree.git:
        return "nested"
    return "repository" if git.is_dir() else "submodule"


def _contents(tree: Tree, folder: str, at: int, found: list[os.DirEntry[str]]) -> Visit:
    entries: list[Entry] = []
    deeper: list[str] = []
    prefix = f"{folder}/" if folder else ""
    for member in found:
        name = member.name
        path = prefix + name
        if member.is_file(follow_symlinks=False):
            entry = look(tree, at, name, path)
        elif member.is_dir(follow_symlinks=False) and name not in SKIPPED:
            entry = None
            if name != ".git":
                deeper.append(path)
        else:
            entry = _odd(tree, member, path)
        if entry is not None:
            entries.append(entry)
    return Visit(entries, deeper, len(found))


def _odd(tree: Tree, member: os.DirEntry[str], path: str) -> Entry | None:
    if member.name == ".git":
        return None
    if not member.is_symlink():
        return tree.entry(path, "copies" if member.is_dir() else "special")
    target = real_path(tree.root, path)
    if target is None:
        return tree.entry(path, "outside")
    exists = os.path.exists(os.path.join(tree.root, target))
    return tree.entry(path, "linked" if exists else "broken", target)


def real_path(root: str, path: str) -> str | None:
    """Where `path` leads, relative to `root`, symlinks followed; None when that is not in the repository."""
    inside = os.path.relpath(os.path.realpath(os.path.join(root, path)), root)
    parts = inside.split("/")
    return None if ".." in parts or ".git" in parts else inside


def read_whole(path: str) -> bytes:
    """All bytes of one regular file that is no symlink; raises OSError."""
    handle = os.open(path, _FILE)
    try:
        status = os.fstat(handle)
        if not stat.S_ISREG(status.st_mode):
            raise OSError(errno.EINVAL, "not a regular file")
        if status.st_size > LARGE:
            raise OSError(errno.EFBIG, os.strerror(errno.EFBIG))
        return b"".join(_pieces(handle))
    finally:
        os.close(handle)


def _pieces(handle: int) -> Iterator[bytes]:
    while piece := os.read(handle, _PIECE):
        yield piece


def look(tree: Tree, at: int, name: str, path: str) -> Entry | None:
    """Read the file `name` in the open folder `at` and say what it is to us; None: nothing."""
    try:
        handle = os.open(name, _FILE, dir_fd=at)
        try:
            # A short read of a regular file is its end; asking again would be a third of all system calls.
            data = os.read(handle, HEAD)
            if len(data) == HEAD:
                data = _rest(handle, data, tree)
        finally:
            os.close(handle)
    except OSError as error:
        return tree.entry(path, "unreadable", reason(error))
    kind = _judge(tree, data, name)
    return kind and Entry(tree.number, path, kind, data if kind == "read" else b"")


def _rest(handle: int, head: bytes, tree: Tree) -> bytes:
    """The whole of a longer file; of a binary one the head, of a large one without tokens nothing."""
    if b"\0" in head and not head.startswith(_UTF_16):
        return head
    if os.fstat(handle).st_size <= LARGE:
        return head + b"".join(_pieces(handle))
    if _holds(head, tree.interest.tokens) or _stream_holds(handle, head, tree.interest.tokens):
        raise OSError(errno.EFBIG, os.strerror(errno.EFBIG))
    return b""


def _stream_holds(handle: int, head: bytes, tokens: tuple[bytes, ...]) -> bool:
    overlap = max(map(len, tokens), default=1) - 1
    window = head
    for piece in _pieces(handle):
        window = window[len(window) - overlap :] + piece
        if _holds(window, tokens):
            return True
    return False


def _holds(data: bytes, tokens: tuple[bytes, ...]) -> bool:
    for token in tokens:  # noqa: SIM110 - `any` with a generator costs twice the time of the whole test
        if token in data:
            return True
    return False


def _judge(tree: Tree, data: bytes, name: str) -> Kind | None:
    interest = tree.interest
    if interest.read.hold(name):
        return "read"
    if _holds(data, interest.tokens):
        return "binary" if data.find(b"\0", 0, HEAD) >= 0 else "read"
    if b"\0" in data and _holds(data, tree.wide):
        return "read"
    return "noted" if interest.note.hold(name) else None


def reason(error: OSError) -> str:
    """Why a file could not be read or written, in words."""
    match error.errno:
        case errno.ENOENT | errno.ENOTDIR:
            return "vanished while it was read"
        case errno.ELOOP:
            return "became a symlink while it was read"
        case errno.EFBIG:
            return f"holds a name we look for, but is larger than {LARGE >> 20} MB"
        case _:
            return (error.strerror or str(error)).lower()
