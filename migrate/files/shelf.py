"""Folders of our own that are never changed: each is made beside, then put in its place by one rename.

A run that dies leaves a whole folder, or one that the next run throws away. A shelf may be deleted at any
time.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import mkdtemp

from msgspec import Struct

from migrate.errors import RelockError
from migrate.files.reading import said

_NEW = ".new-"


class Shelf(Struct, frozen=True):
    """Under `root`, a folder for each name (of a few parts, none of them odd), and in it one version."""

    root: Path

    def find(self, name: str, version: str) -> Path | None:
        path = self._place(name) / version
        return path if path.is_dir() else None

    def any(self, name: str) -> Path | None:
        """The version that is there, whichever it is."""
        place = self._place(name)
        found = sorted(path for path in place.iterdir() if _is_version(path)) if place.is_dir() else []
        return found[-1] if found else None

    @contextmanager
    def making(self, name: str) -> Iterator[Path]:
        """An empty folder to make a version in; what is not kept is gone afterwards. Raises RelockError."""
        place = self._place(name)
        try:
            place.mkdir(parents=True, exist_ok=True)
            folder = Path(mkdtemp(prefix=_NEW, dir=place))
        except OSError as error:
            why = f"cannot be written: {said(error)}"
            raise RelockError(why, str(place), "make room, or free it") from None
        try:
            yield folder
        finally:
            shutil.rmtree(folder, ignore_errors=True)

    def keep(self, made: Path, name: str, version: str) -> Path:
        """Put a folder that was made in its place; older versions go."""
        place = self._place(name)
        if not (place / version).is_dir():
            os.replace(made, place / version)
        for path in place.iterdir():
            if path.name != version and path.is_dir() and not made.is_relative_to(path):
                shutil.rmtree(path, ignore_errors=True)
        return place / version

    def _place(self, name: str) -> Path:
        return self.root.joinpath(*(part for part in name.split("/") if part not in ("", ".", "..")), "@")


def _is_version(path: Path) -> bool:
    return path.is_dir() and not path.name.startswith(_NEW)
