"""Where the repositories of a campaign come from: folders, a list in a file, what a forge lists."""

from __future__ import annotations

import os
import time
from collections.abc import Iterable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Literal

from msgspec import Struct

from migrate.errors import RelockError
from migrate.files import discover, load
from migrate.files.origin import identity
from migrate.files.repositories import clones_in
from migrate.forges import BY_NAME, Listed
from migrate.git.remote import remote
from migrate.model import RepoId


class Listing(Struct, frozen=True):
    """What to ask which forge for, by its name in `BY_NAME`."""

    forge: str
    kind: Literal["group", "search"]
    of: str


def of_paths(paths: Iterable[str]) -> Iterator[Listed]:
    """The repositories at PATHs; a plain folder stands for those in it. Raises RelockError."""
    for path in paths:
        found = discover([path])
        if found.missing:
            raise RelockError("no such folder", path, "name a repository, or a folder of repositories")
        roots = [one for one in found.repositories if one.git]
        roots = roots or list(discover(clones_in(Path(path))).repositories)
        if not roots:
            raise RelockError("there is no repository here", path, "name one, or a folder of them")
        for one in roots:
            yield Listed(one.id, str(one.root))


def of_list(file: Path) -> Iterator[Listed]:
    """A file with a path or URL a line; `#` begins a comment. Paths start at its folder. RelockError."""
    for number, line in enumerate(load(file).splitlines(), 1):
        said = line.split("#")[0].strip()
        if said and ("://" in said or "@" in said):
            yield _of_url(said, f"{file}:{number}")
        elif said:
            yield from of_paths([str(file.parent / Path(said).expanduser())])


def _of_url(url: str, where: str) -> Listed:
    try:
        checked = remote(url)
    except RelockError as error:
        raise RelockError(error.what, where, error.try_this) from None
    name = identity(checked.url)
    if name is None or "@" in url.partition("://")[2].partition("/")[0].partition("@")[0]:
        raise RelockError("no repository is known by this URL", where, "write https://host/owner/name")
    return Listed(RepoId(name), _without_credential(checked.url))


def _without_credential(url: str) -> str:
    scheme, separator, rest = url.partition("://")
    if not separator or scheme == "ssh":
        return url
    host, slash, path = rest.partition("/")
    return f"{scheme}://{host.rpartition('@')[2]}{slash}{path}"


def of_forge(listing: Listing, url: str | None) -> Iterator[Listed]:
    """What a forge lists. Raises RelockError where it does not list everything."""
    with closing(BY_NAME[listing.forge].reach(url, os.environ, time.sleep)) as host:
        yield from host.repositories(listing.kind, listing.of)
