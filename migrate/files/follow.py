"""One file that another file names."""

import os
from pathlib import PurePosixPath

from migrate.files.folder import real_path
from migrate.files.items import Left, Read, Unreadable
from migrate.files.reading import read_whole, reason
from migrate.files.repositories import Repository


def beside(repository: Repository, directory: PurePosixPath) -> tuple[str, ...]:
    """The names of the files of one directory of a repository, sorted; none where it cannot be listed."""
    target = real_path(str(repository.root), str(directory))
    if target is None:
        return ()
    try:
        with os.scandir(os.path.join(repository.root, target)) as entries:
            return tuple(sorted(entry.name for entry in entries if entry.is_file()))
    except OSError:
        return ()


def follow(repository: Repository, path: PurePosixPath) -> Read | Unreadable | Left | None:
    """Read `path` of a repository, whatever it holds, as the real file it leads to; None: no such file.

    `path` may climb with `..` and lead over symlinks, but not out of the repository.
    """
    root = str(repository.root)
    target = real_path(root, str(path))
    if target is None:
        return Left(path, "outside")
    real = os.path.join(root, target)
    if os.path.isdir(real):
        return None
    if not os.path.exists(real):
        return Left(path, "broken") if os.path.islink(os.path.join(root, path)) else None
    try:
        return Read(PurePosixPath(target), read_whole(real))
    except OSError as error:
        return Unreadable(PurePosixPath(target), reason(error))
