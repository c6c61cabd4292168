"""Paths as files of a repository write them."""

from __future__ import annotations

import posixpath
from pathlib import PurePosixPath


def within(directory: PurePosixPath, target: str) -> PurePosixPath:
    """A relative path as written in a file of `directory`, from the top of the repository. No symlink is
    followed.
    """
    return PurePosixPath(posixpath.normpath(posixpath.join(str(directory), target)))
