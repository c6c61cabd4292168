"""The files around the one whose expressions are evaluated."""

from __future__ import annotations

from pathlib import PurePosixPath
from typing import Protocol

from migrate.evaluation.evaluate import Data
from migrate.model import Unknown


class Files(Protocol):
    """The files of one repository."""

    def text(self, path: PurePosixPath, /) -> str | None:
        """What a file holds; None where there is none that can be read."""

    def nearest(self, folder: PurePosixPath, name: str, /) -> PurePosixPath | None:
        """The file or folder of that name (or relative path) in the folder, else in the nearest one above."""

    def values(self, folder: PurePosixPath, /) -> Data | Unknown:
        """What a stack of Terragrunt hands to the unit or stack in a folder."""


class NoFiles:
    """One file alone, nothing around it."""

    def text(self, path: PurePosixPath, /) -> str | None:
        return None

    def nearest(self, folder: PurePosixPath, name: str, /) -> PurePosixPath | None:
        return None

    def values(self, folder: PurePosixPath, /) -> Data | Unknown:
        return Unknown("values")
