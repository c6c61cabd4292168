"""PATHs, `--only`, `--exclude`, and what looks like an example: which sites are reported and edited.

All that is left out is still known, so that a narrowed run never takes a client that it does not show for one
that does not exist, and no repository can hide one.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from fnmatch import fnmatchcase
from pathlib import PurePosixPath
from typing import Final

from msgspec import Struct, field

from migrate.model import RepoId, Site

_EXAMPLE: Final = re.compile(
    r"(?i)(?:\A|/)(?:examples?|samples?|fixtures?|testdata|tests?|integrationtest|demos?)/"
)


def is_example(path: PurePosixPath) -> bool:
    """Whether a folder on the way says that its files are examples or fixtures."""
    return _EXAMPLE.search(str(path)) is not None


class Narrowing(Struct, frozen=True):
    """Globs over a path in its repository, a repository's id, or both with a slash; `*` crosses slashes."""

    only: Sequence[str] = ()
    excluded: Mapping[RepoId, Sequence[str]] = field(default_factory=dict)
    """What the operator and the repository itself leave out of each repository."""
    examples: bool = True
    """Whether what looks like an example is selected where `only` does not name it."""
    within: Mapping[RepoId, Sequence[PurePosixPath]] = field(default_factory=dict)
    """The parts of repositories that PATHs name; a repository that is not here is meant as a whole."""
    known: tuple[str, ...] = ()
    """How ids of what is known, and neither reported nor edited, end: other branches."""

    def selects(self, site: Site) -> bool:
        """Whether a site is to be reported and edited at all."""
        return self.takes(site.repo, site.path)

    def takes(self, repo: RepoId, path: PurePosixPath) -> bool:
        """Whether what stands in a file is."""
        if (self.known and repo.endswith(self.known)) or self.excludes(repo, path):
            return False
        parts = self.within.get(repo)
        if parts and not any(path.is_relative_to(part) for part in parts):
            return False
        if self.only:
            return matches(self.only, repo, path)
        return self.examples or not is_example(path)

    def excludes(self, repo: RepoId, path: PurePosixPath) -> bool:
        """Whether a file is left out by name."""
        return matches(self.excluded.get(repo, ()), repo, path)


EVERYTHING: Final = Narrowing()


def matches(globs: Sequence[str], repo: RepoId, path: PurePosixPath) -> bool:
    """Whether one of the globs names a file, a folder on the way to it, or its repository."""
    if not globs:
        return False
    names = (str(path), str(repo), f"{repo}/{path}", *map(str, path.parents))
    return any(fnmatchcase(name, glob.rstrip("/")) for glob in globs for name in names)
