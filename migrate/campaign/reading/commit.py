"""One commit of a repository as a walk would give it, read from git's objects: no work tree, nothing of it is
run.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import PurePosixPath
from typing import Final

from migrate.files import (
    HIDDEN,
    SKIPPED,
    Interest,
    Item,
    Left,
    Linked,
    Names,
    Noted,
    Opened,
    Read,
    Unreadable,
)
from migrate.git.checkout import is_blob
from migrate.git.own import Own, blobs, holding, tree

_MOST_LINKS: Final = 40
"""As many as Linux follows on the way to one file."""


class AtCommit:
    """The files of one commit: its items, and a reader for what links lead to."""

    def __init__(self, own: Own, commit: str) -> None:
        self._own = own
        self._commit = commit
        self._leaves = {
            path: leaf for path, leaf in tree(own, commit).items() if not SKIPPED & set(path.parts)
        }
        self._files = {path: leaf for path, leaf in self._leaves.items() if leaf.mode.startswith("100")}
        self._links = self._targets()
        self._names: dict[PurePosixPath, list[str]] = defaultdict(list)
        for path in (*self._files, *filter(self._shown, self._links)):
            self._names[path.parent].append(path.name)

    def items(self, interest: Interest) -> Iterator[Item]:
        """What a walk of a checkout of this commit would give."""
        yield Opened()
        wanted = set(holding(self._own, self._commit, interest.tokens)) & self._files.keys()
        wanted |= {path for path in self._files if interest.read.hold(path.name)}
        hidden = self._hidden(interest.may_be_hidden)
        wanted -= hidden
        yield from self._read(wanted)
        yield from (Left(path, "hidden") for path in hidden)
        for path, leaf in self._leaves.items():
            if path in self._links:
                yield from self._linked(path)
            elif leaf.mode == "160000":
                yield Left(path, "submodule")
            elif leaf.size is None and path not in wanted and leaf.mode.startswith("100"):
                yield Left(path, "absent")
            elif path not in wanted and interest.note.hold(path.name):
                yield Noted(path)

    def read(self, path: PurePosixPath, /) -> Read | Unreadable | None:
        """The real file that a path leads to, as it would in a checkout."""
        real = self._real(path)
        return next(iter(self._read({real})), None) if real in self._files else None

    def names(self, directory: PurePosixPath, /) -> Iterable[str]:
        real = self._real(directory)
        return sorted(self._names.get(real, ())) if real else ()

    def has(self, path: PurePosixPath) -> bool:
        return self._real(path) in self._files

    def is_link(self, path: PurePosixPath) -> bool:
        return path in self._links

    def holds(self, path: PurePosixPath, data: bytes) -> bool:
        """Whether that file holds these bytes, line ends aside."""
        real = self._real(path)
        return real in self._files and is_blob(data, self._files[real].blob)

    def _read(self, paths: Iterable[PurePosixPath]) -> Iterator[Read | Unreadable]:
        ordered = sorted(paths)
        found = blobs(self._own, (self._leaves[path].blob for path in ordered))
        for path in ordered:
            data = found.get(self._leaves[path].blob)
            yield Unreadable(path, "its content is not in this clone") if data is None else Read(path, data)

    def _hidden(self, names: Names) -> set[PurePosixPath]:
        """What only a filter of git shows; without attributes there is none."""
        if not any(path.name == ".gitattributes" for path in self._files):
            return set()
        signs = (sign.strip(b"\0") for sign in HIDDEN)
        found = holding(self._own, self._commit, signs, *(f"*{ending}" for ending in names.endings))
        reads = self._read(self._files.keys() & set(found))
        return {read.path for read in reads if isinstance(read, Read) and read.data.startswith(HIDDEN)}

    def _linked(self, path: PurePosixPath) -> Iterator[Linked | Left]:
        """A symlink to a file of the same commit, or out of the repository; any other leads nowhere."""
        real = self._real(path)
        if real in self._files:
            yield Linked(path, real)
        elif real is None:
            yield Left(path, "outside")

    def _targets(self) -> dict[PurePosixPath, str]:
        """All symlinks, each with what stands in it."""
        links = {path: leaf.blob for path, leaf in self._leaves.items() if leaf.mode == "120000"}
        found = blobs(self._own, links.values()) if links else {}
        return {path: found.get(blob, b"").decode("utf-8", "surrogateescape") for path, blob in links.items()}

    def _shown(self, link: PurePosixPath) -> bool:
        """Whether a link counts as a file of its folder: one that leads out may be one."""
        real = self._real(link)
        return real is None or real in self._files

    def _real(self, path: PurePosixPath) -> PurePosixPath | None:
        """Where a path leads over symlinks; None: out of the repository, or round in a circle."""
        ahead, real, links = [*reversed(path.parts)], PurePosixPath(), 0
        while ahead and links <= _MOST_LINKS:
            part = ahead.pop()
            if part == "/" or (part == ".." and not real.name):
                return None
            here = real.parent if part == ".." else real / part
            if here in self._links:
                ahead += reversed(PurePosixPath(self._links[here]).parts)
                links += 1
            else:
                real = here
        return None if ahead else real
