"""The files of one repository by their paths, for what expressions and merges say of them.

The units of a Terragrunt stack are no files of it: they are copies of its folders in places of their own, and
read as such.
"""

from __future__ import annotations

import posixpath
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property
from pathlib import PurePosixPath

from migrate.evaluation import stacks
from migrate.evaluation.evaluate import Data
from migrate.model import Unknown


class Tree:
    """The files of one repository, each read once: those that the walk gave, others on demand."""

    def __init__(
        self,
        known: Mapping[PurePosixPath, str],
        more: Callable[[PurePosixPath], str | None],
        names: Callable[[PurePosixPath], Iterable[str]],
    ) -> None:
        self._known = known
        self._more = more
        self._names = names
        self._read: dict[PurePosixPath, str | None] = {}
        self._listed: dict[PurePosixPath, frozenset[str]] = {}
        self._nearest: dict[tuple[PurePosixPath, str], PurePosixPath | None] = {}
        self._copies: dict[PurePosixPath, PurePosixPath] = {}
        self._copied: dict[PurePosixPath, list[PurePosixPath]] = defaultdict(list)
        self._values: dict[PurePosixPath, Data | Unknown] = {}

    def text(self, path: PurePosixPath, /) -> str | None:
        path = self.real(path)
        if path in self._known:
            return self._known[path]
        if path not in self._read:
            self._read[path] = self._more(path) if self._is_file(path) else None
        return self._read[path]

    def besides(self) -> Iterator[tuple[PurePosixPath, str]]:
        """The texts that were read on demand so far."""
        return ((path, text) for path, text in self._read.items() if text is not None)

    def holding(self, word: str) -> Iterator[tuple[PurePosixPath, str]]:
        """The texts that the walk gave and that hold a word."""
        return ((path, text) for path, text in self._known.items() if word in text)

    def nearest(self, folder: PurePosixPath, name: str, /) -> PurePosixPath | None:
        asked = (folder, name)
        if asked not in self._nearest:
            path = PurePosixPath(posixpath.normpath(folder / name))
            above = self.nearest(folder.parent, name) if folder.name else None
            self._nearest[asked] = path if self._holds(self.real(path)) else above
        return self._nearest[asked]

    def names(self, folder: PurePosixPath) -> frozenset[str]:
        if folder not in self._listed:
            self._listed[folder] = frozenset(self._names(folder))
        return self._listed[folder]

    def values(self, folder: PurePosixPath, /) -> Data | Unknown:
        """What its stack gives to a copy, else what a file of values in the folder says."""
        if folder in self._values:
            return self._values[folder]
        text = self.text(folder / stacks.VALUES)
        return Unknown("values") if text is None else stacks.written(text)

    def copy(self, source: PurePosixPath, to: PurePosixPath, values: Data | Unknown | None) -> None:
        """Have a folder in another place as well, with these values for what is run there."""
        self._copies[to] = real = self.real(source)
        self._copied[real].append(to)
        if values is not None:
            self._values[to] = values
        self._nearest.clear()

    def real(self, path: PurePosixPath) -> PurePosixPath:
        """The file or folder that this is a copy of; itself where it is none."""
        for folder in (path, *path.parents) if self._copies else ():
            if folder in self._copies:
                there = self._copies[folder] / path.relative_to(folder)
                return there if self._holds(there) else path
        return path

    def copies_of(self, path: PurePosixPath) -> Iterator[PurePosixPath]:
        """Where a file is as well."""
        for folder in path.parents if self._copies else ():
            for copy in self._copied.get(folder, ()):
                yield copy / path.relative_to(folder)

    @property
    def copies(self) -> Mapping[PurePosixPath, PurePosixPath]:
        """Where the copied folders are → the folders of files that they are copies of."""
        return self._copies

    def lacks_values(self, path: PurePosixPath) -> bool:
        """Whether a file needs values of a stack and is given none where it stands: there it cannot run."""
        needed = stacks.needs_values(self.text(path) or "")
        return needed and isinstance(self.values(path.parent), Unknown)

    def _holds(self, path: PurePosixPath) -> bool:
        return self._is_file(path) or path in self._folders

    def _is_file(self, path: PurePosixPath) -> bool:
        return path in self._known or path.name in self.names(path.parent)

    @cached_property
    def _folders(self) -> frozenset[PurePosixPath]:
        """The folders of what the walk gave."""
        folders = set[PurePosixPath]()
        for path in self._known:
            while (path := path.parent) not in folders:
                folders.add(path)
        return frozenset(folders)
