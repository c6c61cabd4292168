"""Every plug asked of every file, one file after the other, as a walk gives them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache, lru_cache
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Final, TypeVar

from msgspec import Struct, field

from migrate.dialects import DIALECTS, Dialect
from migrate.files import Interest, Item, Left, Linked, Names, Noted, Opened, Read, Unreadable, decode
from migrate.mentions import TOKENS as MENTIONS
from migrate.model import Definition, Link, Pin, Problem, RepoId, Run, Site, Source
from migrate.pins import PINS, PinPlug
from migrate.pipelines import PIPELINES, SCRIPTS, Pipeline, runs_nothing
from migrate.plug import Plug, Sought
from migrate.tables import TABLES, TableSource
from migrate.tokens import Tokens

if TYPE_CHECKING:  # most commands look at no policy, and should not pay for their imports
    from migrate.policies import PolicySource
    from migrate.spelling.written import Written

F = TypeVar("F")
S = TypeVar("S", bound=Sought)
W = TypeVar("W")

_ALWAYS: Final[tuple[Sought, ...]] = (*DIALECTS, *PINS, *PIPELINES, *TABLES)

_SCRIPTS: Final[frozenset[Sought]] = frozenset(SCRIPTS)
_MENTIONED: Final = frozenset(token.encode() for token in MENTIONS)

_NOTED: Final = Names(frozenset({".terraform.lock.hcl"}), (".tfvars", ".tofu", ".tofu.json"))
"""Files that speak by being there, whatever is in them."""


@cache
def interest(policies: tuple[PolicySource, ...]) -> Interest:
    """What a walk must give for a survey, and for these kinds of policies."""
    plugs: tuple[Sought, ...] = (*_ALWAYS, *policies)
    tokens = {token for plug in plugs for token in plug.TOKENS} | {token.encode() for token in MENTIONS}
    names = tuple(name for plug in plugs for name in plug.FILES)
    return Interest(tuple(sorted(tokens)), _names(names), _NOTED)


@cache
def _names(files: tuple[str, ...]) -> Names:
    """What `FILES` of a plug mean."""
    whole = frozenset(name for name in files if not name.startswith("*"))
    return Names(whole, tuple(name[1:] for name in files if name.startswith("*")))


@cache
def _tokens(policies: tuple[PolicySource, ...]) -> Tokens:
    return Tokens(interest(policies).tokens)


class Taking(Struct):
    """What has been found so far, file by file."""

    repo: RepoId
    asked: tuple[PolicySource, ...] = ()
    """The kinds of policies that are looked for."""
    sites: list[Site] = field(default_factory=list)
    pins: list[Pin] = field(default_factory=list)
    runs: list[Run] = field(default_factory=list)
    definitions: list[Definition] = field(default_factory=list)
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
        held = _tokens(self.asked).all_in(read.data)
        able = self._able(read, held)
        if held and not able and held.isdisjoint(_MENTIONED) and not _NOTED.hold(read.path.name):
            return  # prose that shows a command, a `terraform {` without anything in it
        source = decode(self.repo, read)
        if isinstance(source, Unreadable):
            self.unreadable.append(source)
            return
        self.sources[read.path] = source
        if _NOTED.hold(read.path.name):
            self.marks.add(read.path)
        head = read.data[:512]
        self.sites += self.ask(able.dialects, source, head)
        self.pins += self.ask(able.pins, source, head)
        self.runs += self.ask(able.pipelines, source, head)
        self.definitions += self.ask(able.tables, source, head)
        self.policies += self.ask(able.policies, source, head)

    def _able(self, read: Read, held: frozenset[bytes]) -> _Able:
        """The plugs whose tokens the file holds or that read a file of its name."""
        name = read.path.name
        wanted = name if interest(self.asked).read.hold(name) else ""
        return _able(self.asked, wanted, held, scripts=not runs_nothing(read.path))

    def ask(self, plugs: Iterable[Plug[F, W]], source: Source, head: bytes) -> Iterator[F]:
        for plug in plugs:
            if plug.claims(source.path, head):
                found = plug.find(source)
                self.links += found.links
                self.problems += found.problems
                yield from found.items

    def order(self) -> None:
        """Sort all by file; what one file gave stays in its order."""
        for found in (
            self.sites,
            self.pins,
            self.runs,
            self.definitions,
            self.policies,
            self.unreadable,
            self.left,
        ):
            found.sort(key=lambda one: one.path.parts)  # as paths sort, at a tenth of the time
        self.links.sort(key=lambda link: link.origin.path.parts)
        self.problems.sort(key=lambda problem: problem.where.path.parts)
        self.sources = {
            path: self.sources[path] for path in sorted(self.sources, key=lambda path: path.parts)
        }
        self.aliases = {target: sorted(links) for target, links in sorted(self.aliases.items())}


class _Able(Struct, frozen=True):
    """The plugs that one file is shown to."""

    dialects: tuple[Dialect, ...]
    pins: tuple[PinPlug, ...]
    pipelines: tuple[Pipeline, ...]
    tables: tuple[TableSource, ...]
    policies: tuple[PolicySource, ...]

    def __bool__(self) -> bool:
        return any((self.dialects, self.pins, self.pipelines, self.tables, self.policies))


@lru_cache(maxsize=1024)  # thousands of files hold one of a few sets of tokens
def _able(policies: tuple[PolicySource, ...], name: str, held: frozenset[bytes], *, scripts: bool) -> _Able:
    def of(plugs: Iterable[S]) -> tuple[S, ...]:
        able = (p for p in plugs if not held.isdisjoint(p.TOKENS) or _names(p.FILES).hold(name))
        return tuple(p for p in able if scripts or p not in _SCRIPTS)

    return _Able(of(DIALECTS), of(PINS), of(PIPELINES), of(TABLES), of(policies))
