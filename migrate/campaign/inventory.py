"""The files of one repository → its survey: every plug asked, links followed once, no token overlooked."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import Final, Protocol, TypeVar

from migrate.config import Waiver
from migrate.dialects import DIALECTS, partial
from migrate.estate import Survey
from migrate.estate.roots import within
from migrate.files import Interest, Item, Left, Linked, Names, Noted, Opened, Read, Unreadable, decode
from migrate.mentions import TOKENS as MENTIONS
from migrate.mentions import mentions
from migrate.model import Engine, Link, Pin, Problem, RepoId, Run, Site, Source
from migrate.pins import PINS
from migrate.pipelines import PIPELINES
from migrate.plug import Plug
from migrate.policies import POLICIES
from migrate.spelling.written import Written
from migrate.text import Span

F = TypeVar("F")
W = TypeVar("W")

_TOKENS: Final = frozenset(
    (
        *(token.encode() for token in MENTIONS),
        *(token for dialect in DIALECTS for token in dialect.TOKENS),
        *(token for pin in PINS for token in pin.TOKENS),
        *(token for pipeline in PIPELINES for token in pipeline.TOKENS),
        *(token for policy in POLICIES for token in policy.TOKENS),
    )
)
_FILES: Final = (
    *(name for dialect in DIALECTS for name in dialect.FILES),
    *(name for pin in PINS for name in pin.FILES),
    *(name for pipeline in PIPELINES for name in pipeline.FILES),
    *(name for policy in POLICIES for name in policy.FILES),
)

INTEREST: Final = Interest(
    tokens=tuple(sorted(_TOKENS)),
    read=Names(
        frozenset(name for name in _FILES if not name.startswith("*")),
        tuple(name[1:] for name in _FILES if name.startswith("*")),
    ),
    note=Names(frozenset({".terraform.lock.hcl"}), (".tfvars", ".tofu")),
)
"""What a walk must give for a survey."""

_PROVIDER: Final = re.compile(rb'(?m)^[ \t]*provider[ \t]+"')


class Reader(Protocol):
    """More of one repository, where a link leads to a file that the walk had no reason to read."""

    def read(self, path: PurePosixPath, /) -> Read | Unreadable | None:
        """One file; None where there is none."""

    def names(self, directory: PurePosixPath, /) -> Iterable[str]:
        """The names of the files of one directory."""


@dataclass(frozen=True, slots=True)
class Told:
    """What a repository's own configuration says of its files."""

    backend_config: Mapping[PurePosixPath, tuple[PurePosixPath, ...]] = field(default_factory=dict)
    engine: Engine | None = None
    exclude: tuple[str, ...] = ()
    ignore: tuple[Waiver, ...] = ()
    opt_out: str = ""
    mistakes: tuple[Unreadable, ...] = ()
    """Why it says nothing."""


@dataclass(frozen=True, slots=True)
class Inventory:
    """One repository read: what was found, the sources an edit needs, and what was not read."""

    survey: Survey
    sources: Mapping[PurePosixPath, Source]
    unreadable: tuple[Unreadable, ...] = ()
    left: tuple[Left, ...] = ()
    told: Told = field(default_factory=Told)
    policies: tuple[Written, ...] = ()


@dataclass(slots=True)
class _Gathered:
    """What has been found so far, file by file."""

    repo: RepoId
    sites: list[Site] = field(default_factory=list)
    pins: list[Pin] = field(default_factory=list)
    runs: list[Run] = field(default_factory=list)
    policies: list[Written] = field(default_factory=list)
    links: list[Link] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    sources: dict[PurePosixPath, Source] = field(default_factory=dict)
    marks: set[PurePosixPath] = field(default_factory=set)
    aliases: dict[PurePosixPath, list[PurePosixPath]] = field(default_factory=dict)
    unreadable: list[Unreadable] = field(default_factory=list)
    left: list[Left] = field(default_factory=list)

    def take(self, item: Item) -> None:
        match item:
            case Read():
                self.read(item)
            case Unreadable():
                self.unreadable.append(item)
            case Noted(path):
                self.marks.add(path)
            case Linked(path, target):
                self.aliases.setdefault(target, []).append(path)
            case Left():
                self.left.append(item)
            case Opened():
                pass

    def read(self, read: Read) -> None:
        source = decode(self.repo, read)
        if isinstance(source, Unreadable):
            self.unreadable.append(source)
            return
        self.sources[read.path] = source
        self.sites += self.ask(DIALECTS, source, read.data)
        self.pins += self.ask(PINS, source, read.data)
        self.runs += self.ask(PIPELINES, source, read.data)
        self.policies += self.ask(POLICIES, source, read.data)

    def ask(self, plugs: Iterable[Plug[F, W]], source: Source, data: bytes) -> Iterator[F]:
        for plug in plugs:
            if _may_hold(plug, source.path, data) and plug.claims(source.path, data[:512]):
                found = plug.find(source)
                self.links += found.links
                self.problems += found.problems
                yield from found.items


def _may_hold(plug: Plug[F, W], path: PurePosixPath, data: bytes) -> bool:
    return any(token in data for token in plug.TOKENS) or any(
        path.name == name or (name.startswith("*") and path.name.endswith(name[1:])) for name in plug.FILES
    )


def take(repo: RepoId, items: Iterable[Item], reader: Reader, told: Told) -> Inventory:
    """Survey one repository: all that a walk gave, and the files that links lead to."""
    gathered = _Gathered(repo)
    for item in items:
        gathered.take(item)
    _read_partial_files(gathered, reader, told)
    claimed: dict[PurePosixPath, list[Span]] = defaultdict(list)
    for site in gathered.sites:
        claimed[site.path].append(site.span)
    survey = Survey(
        repo=repo,
        sites=tuple(gathered.sites),
        links=tuple(gathered.links),
        pins=tuple(gathered.pins),
        runs=tuple(gathered.runs),
        mentions=tuple(
            mention
            for path, source in gathered.sources.items()
            for mention in mentions(source, claimed.get(path, ()))
        ),
        problems=tuple(gathered.problems),
        marks=frozenset(gathered.marks),
        providers=frozenset(_providers(gathered, reader)),
        aliases={target: tuple(links) for target, links in gathered.aliases.items()},
        backend_config=told.backend_config,
        engine=told.engine,
    )
    unreadable = (*told.mistakes, *gathered.unreadable)
    policies = tuple(gathered.policies)
    return Inventory(survey, gathered.sources, unreadable, tuple(gathered.left), told, policies)


def _read_partial_files(gathered: _Gathered, reader: Reader, told: Told) -> None:
    """Read as partial configuration what a command or the repository's own configuration names as such."""
    known = {site.path for site in gathered.sites if site.role == "partial"}
    wanted = [path for files in told.backend_config.values() for path in files]
    roots = {site.root for site in gathered.sites if site.role == "writer"}
    for link in gathered.links:
        if link.kind == "backend-config":
            starts = (link.origin.path.parent, PurePosixPath(), *sorted(roots))
            wanted += [within(start, link.target) for start in starts]
    for path in dict.fromkeys(wanted):
        if path not in known and ".." not in path.parts:
            _read_partial_file(path, gathered, reader)


def _read_partial_file(path: PurePosixPath, gathered: _Gathered, reader: Reader) -> None:
    read = reader.read(path)
    match decode(gathered.repo, read) if isinstance(read, Read) else read:
        case Source() as source:
            gathered.sources[path] = source
            found = partial.find(source)
            gathered.sites += found.items
            gathered.problems += found.problems
        case Unreadable() as unreadable:
            gathered.unreadable.append(unreadable)
        case None:
            pass


def _providers(gathered: _Gathered, reader: Reader) -> Iterator[PurePosixPath]:
    """Of the directories that have a backend and are called as modules: those with a provider block."""
    called = {
        within(link.origin.path.parent, link.target) for link in gathered.links if link.kind == "module"
    }
    for root in {site.root for site in gathered.sites if site.role == "writer"} & called:
        names = (name for name in reader.names(root) if name.endswith((".tf", ".tofu")))
        reads = (reader.read(root / name) for name in names)
        if any(isinstance(read, Read) and _PROVIDER.search(read.data) for read in reads):
            yield root
