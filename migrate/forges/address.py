"""Where a forge of one's own answers, and which repositories are on it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final
from urllib.parse import urlsplit

from msgspec import Struct

from migrate.errors import RelockError
from migrate.model import RepoId

_NAME: Final = re.compile(r"(?!\.\.?$|-)[\w.-]+", re.ASCII)


class Address(Struct, frozen=True):
    """A forge by the URL that people open in a browser; it may have a path of its own."""

    url: str

    @property
    def prefix(self) -> str:
        """What the ids of its repositories begin with."""
        split = urlsplit(self.url)
        return f"{split.hostname or ''}{split.path.rstrip('/')}/"

    def parts(self, repo: RepoId) -> tuple[str, ...]:
        """The path of a repository there. Raises RelockError when it is on another forge."""
        parts = tuple(repo.removeprefix(self.prefix).split("/"))
        if not repo.startswith(self.prefix) or len(parts) < 2 or not all(map(_NAME.fullmatch, parts)):
            try_this = f"name the forge it is on, not {self.prefix.rstrip('/')}"
            raise RelockError("this repository is not on this forge", repo, try_this)
        return parts

    def git(self, repo: RepoId) -> str:
        """The URL that git pushes to."""
        return f"{self.url.rstrip('/')}/{'/'.join(self.parts(repo))}.git"


def token(environ: Mapping[str, str], name: str, forge: str) -> str:
    """The token of the environment; it is never read from a file. Raises RelockError when there is none."""
    if environ.get(name):
        return environ[name]
    raise RelockError(f"no token for {forge}", name, f"set {name}")
