"""The files of a repository by their texts, as whoever reads more of them than the walk gave sees them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import PurePosixPath

from migrate.files import Read


class Disk:
    def __init__(self, files: Mapping[str, str]) -> None:
        self._files = files

    def read(self, path: PurePosixPath, /) -> Read | None:
        text = self._files.get(str(path))
        return None if text is None else Read(path, text.encode())

    def names(self, directory: PurePosixPath, /) -> Iterable[str]:
        return [path.name for path in map(PurePosixPath, self._files) if path.parent == directory]
