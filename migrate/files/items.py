"""What a walk looks for, and what it gives."""

from pathlib import PurePosixPath
from typing import Final, Literal, NamedTuple, TypeAlias

from msgspec import Struct


class Names(Struct, frozen=True):
    """Names of files, whole or by how they end."""

    whole: frozenset[str] = frozenset()
    endings: tuple[str, ...] = ()

    def hold(self, name: str) -> bool:
        return name in self.whole or name.endswith(self.endings)


class Interest(Struct, frozen=True):
    """What a walk looks for: tokens in any file, files to `read` whatever they hold, files to `note`.

    In the files `among` only `few` of the tokens count: to look for few is several times as fast. One that
    `may_be_hidden` is given where a filter of git keeps what it holds from whoever has no key, or no LFS.
    """

    tokens: tuple[bytes, ...]
    read: Names = Names()
    note: Names = Names()
    among: Names = Names()
    few: tuple[bytes, ...] = ()
    may_be_hidden: Names = Names()


HIDDEN: Final = (b"\0GITCRYPT\0", b"version https://git-lfs.github.com/spec/")
"""What a file begins with whose content is elsewhere, or encrypted."""


class Opened(Struct, frozen=True):
    """The first item of a repository. A folder that only holds clones is not opened itself."""


class Read(Struct, frozen=True):
    """A file that holds a token, or whose name is wanted, with all its bytes."""

    path: PurePosixPath
    data: bytes


class Noted(Struct, frozen=True):
    """A file that exists; it was not read."""

    path: PurePosixPath


class Unreadable(Struct, frozen=True):
    """A file or folder that may hold what we look for and could not be read. `line` is 0 where it is not one
    line's fault.
    """

    path: PurePosixPath
    why: str
    line: int = 0

    @property
    def place(self) -> str:
        return f"{self.path}:{self.line}" if self.line else str(self.path)


class Linked(Struct, frozen=True):
    """A symlink to `target` in the same repository. The target is read as itself, once."""

    path: PurePosixPath
    target: PurePosixPath


Reason: TypeAlias = Literal[
    "copies",
    "submodule",
    "repository",
    "outside",
    "broken",
    "special",
    "binary",
    "hidden",
    "absent",
    "sparse",
]

_WHY: Final[dict[Reason, str]] = {
    "copies": "a folder of downloaded copies",
    "submodule": "a submodule or another work tree",
    "repository": "a repository of its own",
    "outside": "a symlink out of the repository",
    "broken": "a symlink to nothing",
    "special": "a pipe, socket or device",
    "binary": "a binary file that holds a name we look for",
    "hidden": "a file that git-crypt or Git LFS keeps: what it holds is not known",
    "absent": "a file that is not in this clone: what it holds is not known",
    "sparse": "a file that a sparse checkout leaves out: what it does is not known",
}


class Left(Struct, frozen=True):
    """What was left out on purpose."""

    path: PurePosixPath
    reason: Reason

    @property
    def why(self) -> str:
        return _WHY[self.reason]


Item: TypeAlias = Opened | Read | Noted | Unreadable | Linked | Left

Kind: TypeAlias = Literal["read", "noted", "unreadable", "linked", "nested"] | Reason


class Entry(NamedTuple):
    """An item before it is one, cheap to send between processes. `text` is a reason or a target."""

    repository: int
    path: str
    kind: Kind
    data: bytes = b""
    text: str = ""

    def item(self) -> Item:
        path = PurePosixPath(self.path)
        match self.kind:
            case "read":
                return Read(path, self.data)
            case "noted":
                return Noted(path)
            case "unreadable":
                return Unreadable(path, self.text)
            case "linked":
                return Linked(path, PurePosixPath(self.text))
            case "nested":
                return Left(path, "repository")
            case reason:
                return Left(path, reason)
