"""One commit of a repository as a walk would give it, read from git's objects: no work tree, nothing of it is
run.
"""

from __future__ import annotations

import posixpath
from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import PurePosixPath

from migrate.files import SKIPPED, Interest, Item, Left, Linked, Noted, Opened, Read, Unreadable
from migrate.git.checkout import is_blob
from migrate.git.own import Leaf, Own, blobs, holding, tree


class AtCommit:
    """The files of one commit: its items, and a reader for what links lead to."""

    def __init__(self, own: Own, commit: str) -> None:
        self._own = own
        self._commit = commit
        self._leaves = {
            path: leaf for path, leaf in tree(own, commit).items() if not SKIPPED & set(path.parts)
        }
        self._files = {path: leaf for path, leaf in self._leaves.items() if leaf.mode.startswith("100")}
        self._names: dict[PurePosixPath, list[str]] = defaultdict(list)
        for path in self._files:
            self._names[path.parent].append(path.name)

    def items(self, interest: Interest) -> Iterator[Item]:
        """What a walk of a checkout of this commit would give."""
        yield Opened()
        wanted = set(holding(self._own, self._commit, interest.tokens)) & self._files.keys()
        wanted |= {path for path in self._files if interest.read.hold(path.name)}
        yield from self._read(wanted)
        for path, leaf in self._leaves.items():
            if leaf.mode == "120000":
                yield from self._linked(path, leaf)
            elif leaf.size is None and path not in wanted and leaf.mode.startswith("100"):
                yield Left(path, "absent")
            elif path not in wanted and interest.note.hold(path.name):
                yield Noted(path)

    def read(self, path: PurePosixPath, /) -> Read | Unreadable | None:
        return next(iter(self._read({path})), None) if path in self._files else None

    def names(self, directory: PurePosixPath, /) -> Iterable[str]:
        return sorted(self._names.get(directory, ()))

    def has(self, path: PurePosixPath) -> bool:
        return path in self._files

    def is_link(self, path: PurePosixPath) -> bool:
        return path in self._leaves and self._leaves[path].mode == "120000"

    def holds(self, path: PurePosixPath, data: bytes) -> bool:
        """Whether that file holds these bytes, line ends aside."""
        return self.has(path) and is_blob(data, self._leaves[path].blob)

    def _read(self, paths: Iterable[PurePosixPath]) -> Iterator[Read | Unreadable]:
        ordered = sorted(paths)
        found = blobs(self._own, (self._leaves[path].blob for path in ordered))
        for path in ordered:
            data = found.get(self._leaves[path].blob)
            yield Unreadable(path, "its content is not in this clone") if data is None else Read(path, data)

    def _linked(self, path: PurePosixPath, leaf: Leaf) -> Iterator[Linked | Left]:
        """A symlink to a file of the same commit, or out of the repository; any other leads nowhere."""
        target = blobs(self._own, [leaf.blob]).get(leaf.blob, b"").decode("utf-8", "surrogateescape")
        real = PurePosixPath(posixpath.normpath(posixpath.join(str(path.parent), target)))
        if real in self._files:
            yield Linked(path, real)
        elif real.is_absolute() or ".." in real.parts:
            yield Left(path, "outside")
