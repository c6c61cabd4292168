"""Which partial files a repository's own configuration gives each root; `*` is any one name of a folder."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from pathlib import PurePosixPath
from typing import TypeAlias

Files: TypeAlias = Mapping[PurePosixPath, tuple[PurePosixPath, ...]]


def files_of(said: Files, roots: Iterable[PurePosixPath]) -> Files:
    """The files of each root that is named: by its own name, else by the first pattern that fits."""
    patterns = {name: files for name, files in said.items() if "*" in str(name)}
    found = {name: files for name, files in said.items() if name not in patterns}
    for root in roots if patterns else ():
        fitting = ((stars(name, root), files) for name, files in patterns.items())
        named = next(((names, files) for names, files in fitting if names is not None), None)
        if named and root not in found:
            found[root] = tuple(_filled(file, named[0]) for file in named[1])
    return found


def stars(name: PurePosixPath, root: PurePosixPath) -> tuple[str, ...] | None:
    """What each `*` of the name stands for in a root that it fits."""
    fits = re.fullmatch("([^/]*)".join(map(re.escape, str(name).split("*"))), str(root))
    return fits.groups() if fits else None


def _filled(file: PurePosixPath, names: Iterable[str]) -> PurePosixPath:
    """The file with each `*` as that of the root in the same place; one more than that fits no file."""
    text = str(file)
    for name in names:
        text = text.replace("*", name, 1)
    return PurePosixPath(text)
