"""One file: its bytes, and whether they hold what we look for.

Three system calls a file (`open`, `read`, `close`) and one pass for all names are what keeps pace with `rg`.
"""

import errno
import os
import stat
from collections.abc import Iterator
from typing import Final, NamedTuple, Self

from migrate.files.items import HIDDEN, Entry, Interest, Kind
from migrate.tokens import Tokens

HEAD: Final = 1 << 14  # a larger buffer costs more to allocate than a second read of the few longer files
LARGE: Final = 1 << 24
_PIECE: Final = 1 << 20
FOLDER: Final = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW
# NONBLOCK: a pipe may have been put here meanwhile
_FILE: Final = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_NOCTTY
_UTF_16: Final = (b"\xff\xfe", b"\xfe\xff")
_ASCII: Final = bytes((9, 10, 13, *range(32, 127)))


class Sought(NamedTuple):
    """Tokens as they are looked for."""

    tokens: Tokens
    wide: tuple[bytes, ...]

    @classmethod
    def of(cls, tokens: tuple[bytes, ...]) -> Self:
        fewest = _fewest(tokens)
        return cls(Tokens(fewest), tuple(map(_wide, fewest)))


def _fewest(tokens: tuple[bytes, ...]) -> tuple[bytes, ...]:
    """The tokens without those that hold another one: a file that holds these holds that."""
    all_of_them = Tokens(tokens)
    return tuple(one for one in tokens if all_of_them.all_in(one) == {one})


def _wide(token: bytes) -> bytes:
    """The token as it stands in UTF-16 text, of either byte order."""
    return b"\0".join(token[at : at + 1] for at in range(len(token)))


class Tree(NamedTuple):
    """One repository to walk. `root` is a real path."""

    number: int
    root: str
    git: bool
    interest: Interest
    sought: Sought
    few: Sought
    """What counts in the files that `interest.few` is for."""

    def sought_in(self, name: str) -> Sought:
        return self.few if self.interest.among.hold(name) else self.sought

    def entry(self, path: str, kind: Kind, text: str = "") -> Entry:
        return Entry(self.number, path, kind, text=text)


def read_whole(path: str, at: int | None = None) -> bytes:
    """All bytes of one regular file that is no symlink, in the open folder `at` if given; raises OSError."""
    handle = os.open(path, _FILE, dir_fd=at)
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
                data = _rest(handle, data, tree, name)
        finally:
            os.close(handle)
    except OSError as error:
        return tree.entry(path, "unreadable", reason(error))
    kind = _judge(tree, data, name)
    return kind and Entry(tree.number, path, kind, data if kind == "read" else b"")


def _rest(handle: int, head: bytes, tree: Tree, name: str) -> bytes:
    """The whole of a longer file; of a binary one the head, of a large one without tokens nothing."""
    wanted = tree.interest.read.hold(name)
    if not wanted and b"\0" in head and not head.startswith(_UTF_16):
        return head
    if os.fstat(handle).st_size <= LARGE:
        return head + b"".join(_pieces(handle))
    if wanted or _stream_holds(handle, head, tree.sought_in(name).tokens):
        raise OSError(errno.EFBIG, os.strerror(errno.EFBIG))
    return b""


def _stream_holds(handle: int, head: bytes, tokens: Tokens) -> bool:
    overlap = tokens.longest - 1
    window = head
    found = tokens.any_in(window)
    pieces = _pieces(handle)
    while not found and (piece := next(pieces, b"")):
        window = window[-overlap:] + piece if overlap else piece
        found = tokens.any_in(window)
    return found


def _judge(tree: Tree, data: bytes, name: str) -> Kind | None:
    interest = tree.interest
    if data.startswith(HIDDEN) and interest.may_be_hidden.hold(name):
        return "hidden"
    if interest.read.hold(name):
        return "read"
    sought = tree.sought_in(name)
    if sought.tokens.any_in(data):
        return "binary" if data.find(b"\0", 0, HEAD) >= 0 else "read"
    if b"\0" in data and any(token in data for token in sought.wide):
        return "read" if _is_utf_16(data) else "binary"
    return "noted" if interest.note.hold(name) else None


def _is_utf_16(data: bytes) -> bool:
    """Whether a file begins as such text, with a mark or a sign of ASCII: `.DS_Store` and fonts hold some."""
    sign = data[:2].replace(b"\0", b"", 1)
    return data.startswith(_UTF_16) or (len(sign) == 1 and sign in _ASCII)


def reason(error: OSError) -> str:
    """Why a file could not be read or written, in words."""
    match error.errno:
        case errno.ENOENT | errno.ENOTDIR:
            return "vanished meanwhile"
        case errno.ELOOP:
            return "became a symlink while it was read"
        case errno.EFBIG:
            return f"holds a name we look for, but is larger than {LARGE >> 20} MB"
        case _:
            return said(error)


def said(error: OSError) -> str:
    """What the system says of its error, as a part of a sentence."""
    return (error.strerror or str(error)).lower()
