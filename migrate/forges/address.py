"""Where a forge of one's own answers, and which repositories are on it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final
from urllib.parse import urlsplit

from msgspec import Struct

from migrate.errors import RelockError
from migrate.forges.answer import ElsewhereError
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
            raise ElsewhereError(repo, self.prefix.rstrip("/"))
        return parts

    def git(self, repo: RepoId) -> str:
        """The URL that git pushes to."""
        return f"{self.url.rstrip('/')}/{'/'.join(self.parts(repo))}.git"


def usable(url: str) -> str:
    """The URL of a forge as a person gave it. Raises RelockError where it names no host, or a credential."""
    host = _host(url)
    if not host:
        raise RelockError("this is no URL of a forge", "--forge-url", "write it as https://git.acme.example")
    if "@" in urlsplit(url).netloc:  # it would stand in the process list, in the URL that git is given
        try_this = "leave it out, and set the token in the environment"
        raise RelockError("the forge's URL holds a credential", host, try_this)
    return url


def _host(url: str) -> str | None:
    try:
        split = urlsplit(url)
        return split.hostname if url.isprintable() and " " not in url and split.port != 0 else None
    except ValueError:  # of a port or an IPv6 address that is none
        return None


def token(environ: Mapping[str, str], forge: str, *names: str) -> str:
    """The first token of the environment; it is never read from a file. Raises RelockError without one."""
    for name in names:
        if value := environ.get(name):
            if value.isascii() and value.isprintable() and " " not in value:
                return value
            raise RelockError("it holds what no token does, such as a line end", name, "set it anew")
    raise RelockError(f"no token for {forge}", names[0], f"set {' or '.join(names)}")
