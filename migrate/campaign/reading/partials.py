"""Which files are partial configuration, because a command says so, and which of these serve others too."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from fnmatch import fnmatchcase
from pathlib import PurePosixPath
from typing import Final, Protocol

from msgspec.structs import replace

from migrate.campaign.reading.collector import Collector
from migrate.dialects import partial
from migrate.estate.configured import files_of
from migrate.files import Read, Unreadable, decode
from migrate.model import Link, RepoId, Site, Source, within
from migrate.wishes import READ_AS_WELL

_AUTOMATIC: Final = re.compile(r"terraform\.tfvars(\.json)?|.*\.auto\.tfvars(\.json)?")


class Reader(Protocol):
    """More of one repository, where a link leads to a file that the walk had no reason to read."""

    def read(self, path: PurePosixPath, /) -> Read | Unreadable | None:
        """One file; None where there is none."""

    def names(self, directory: PurePosixPath, /) -> Iterable[str]:
        """The names of the files of one directory."""


def source_at(repo: RepoId, path: PurePosixPath, reader: Reader) -> Source | Unreadable | None:
    """A file as text, or why it has none; None where there is no such file."""
    read = reader.read(path)
    return decode(repo, read) if isinstance(read, Read) else read


def take_partials(
    collected: Collector, reader: Reader, told: Mapping[PurePosixPath, tuple[PurePosixPath, ...]]
) -> None:
    """Read as partial configuration what a command or the repository's own configuration names as such."""
    known = {site.path for site in collected.sites if site.role == "partial"}
    writers = [site for site in collected.sites if site.role == "writer"]
    linked = (link.parent for site in writers for link in collected.aliases.get(site.path, ()))
    roots = {*(site.root for site in writers), *linked}
    wanted = [path for files in files_of(told, sorted(roots)).values() for path in files]
    for link in collected.links:
        if link.kind == "backend-config":
            starts = (link.origin.path.parent, PurePosixPath(), *sorted(roots))
            wanted += [path for start in starts for path in _named(start, link.target, reader)]
    for path in dict.fromkeys(wanted):
        if path not in known and ".." not in path.parts:
            _take(path, collected, reader)
    readers = [link for link in collected.links if link.kind == "variables"]
    collected.sites[:] = [
        _shared(site, readers) if site.role == "partial" else site for site in collected.sites
    ]


def _named(start: PurePosixPath, target: str, reader: Reader) -> Iterator[PurePosixPath]:
    """The files that a target means, seen from a directory; one with `*` in its name may mean several."""
    path = within(start, target)
    if "*" not in path.name:
        yield path
    elif "*" not in str(path.parent):
        names = (name for name in reader.names(path.parent) if fnmatchcase(name, path.name))
        yield from (path.parent / name for name in names if not name.endswith((".tf", ".tofu")))


def _take(path: PurePosixPath, collected: Collector, reader: Reader) -> None:
    match source_at(collected.repo, path, reader):
        case Source() as source:
            collected.sources[path] = source
            found = partial.find(source)
            collected.sites += found.items
            collected.problems += found.problems
        case Unreadable() as unreadable:
            collected.unreadable.append(unreadable)
        case None:
            pass


def _shared(site: Site, readers: Iterable[Link]) -> Site:
    """The site of a file that is read as variables or by a script is not edited: that would see it too."""
    other = next((link.origin for link in readers if _means(link.target, site.path)), None)
    who = str(other) if other else "Terraform" if _AUTOMATIC.fullmatch(site.path.name) else ""
    return replace(site, why_not=site.why_not or f"{who} {READ_AS_WELL}") if who else site


def _means(target: str, path: PurePosixPath) -> bool:
    """Whether a target, seen from some directory, is the file; `*` fills in no dot, as no name of a stage has
    one.
    """
    wanted = [part for part in PurePosixPath(target).parts if part not in (".", "..", "/")]
    parts = path.parts[-len(wanted) :] if wanted else ()
    return len(parts) == len(wanted) > 0 and all(map(_fits, wanted, parts))


def _fits(wanted: str, part: str) -> bool:
    pattern = "[^.]*".join(map(re.escape, wanted.split("*"))) if wanted != "*" else ".*"
    return re.fullmatch(pattern, part) is not None
