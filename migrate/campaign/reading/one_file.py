"""One file shown to every plug that reads files of its kind, and what it gave.

Nothing is asked of other files here, so that the files of a large tree can be shown in many processes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache, lru_cache
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Final, TypeVar

from msgspec import Struct

from migrate.dialects import DIALECTS, Dialect
from migrate.files import Interest, Names, Read, Unreadable, decode
from migrate.mentions import TOKENS as MENTIONS
from migrate.model import Definition, Link, Pin, Problem, RepoId, Run, Site, Source
from migrate.pins import PINS, PinPlug
from migrate.pipelines import PIPELINES, SCRIPTS, Pipeline, runs_nothing
from migrate.plug import Finder, Sought
from migrate.tables import TABLES, TableSource
from migrate.tokens import Tokens

if TYPE_CHECKING:  # most commands look at no policy, and should not pay for their imports
    from migrate.policies import PolicySource
    from migrate.spelling.written import Written

F = TypeVar("F")
S = TypeVar("S", bound=Sought)

_ALWAYS: Final[tuple[Sought, ...]] = (*DIALECTS, *PINS, *PIPELINES, *TABLES)

_SCRIPTS: Final[frozenset[Sought]] = frozenset(SCRIPTS)
_MENTIONED: Final = frozenset(token.encode() for token in MENTIONS)

_NOTED: Final = Names(frozenset({".terraform.lock.hcl"}), (".tfvars", ".tofu", ".tofu.json"))
"""Files that speak by being there, whatever is in them."""

CONFIGURING: Final = (".tf", ".tofu", ".tf.json", ".tofu.json", ".hcl", ".tfbackend")
"""How the names of files end in which an engine would read a backend."""
_CODE: Final = (".tf", ".tofu")
"""How the names of Terraform's own code end."""


@cache
def interest(policies: tuple[PolicySource, ...]) -> Interest:
    """What a walk must give for a survey, and for these kinds of policies."""
    plugs: tuple[Sought, ...] = (*_ALWAYS, *policies)
    names = tuple(name for plug in plugs for name in plug.FILES)
    code = _tokens_of(plug.IN_CODE or plug.TOKENS for plug in plugs if plug.TERRAFORM)
    hidden = Names(endings=CONFIGURING)
    tokens = _tokens_of(plug.TOKENS for plug in plugs)
    return Interest(tokens, _names(names), _NOTED, Names(endings=_CODE), code, hidden)


def _tokens_of(plugs: Iterable[tuple[bytes, ...]]) -> tuple[bytes, ...]:
    return tuple(sorted(_MENTIONED.union(*plugs)))


@cache
def _names(files: tuple[str, ...]) -> Names:
    """What `FILES` of a plug mean."""
    whole = frozenset(name for name in files if not name.startswith("*"))
    return Names(whole, tuple(name[1:] for name in files if name.startswith("*")))


@cache
def _tokens(policies: tuple[PolicySource, ...]) -> Tokens:
    return Tokens(interest(policies).tokens)


class Taken(Struct):
    """What one file gave. `read` is its text, or why it has none; None where nothing needs it."""

    path: PurePosixPath
    read: Source | Unreadable | None = None
    sites: list[Site] | tuple[()] = ()
    pins: list[Pin] | tuple[()] = ()
    runs: list[Run] | tuple[()] = ()
    definitions: list[Definition] | tuple[()] = ()
    policies: list[Written] | tuple[()] = ()
    links: tuple[Link, ...] = ()
    problems: tuple[Problem, ...] = ()

    @property
    def marks(self) -> bool:
        """Whether the file speaks by being there."""
        return isinstance(self.read, Source) and _NOTED.hold(self.path.name)


def taken(policies: tuple[PolicySource, ...], repo: RepoId, read: Read) -> Taken:
    """What the plugs that may read a file find in it; of policies, these kinds are looked for."""
    held = _tokens(policies).all_in(read.data)
    able = _able_to_read(policies, read, held)
    found = Taken(read.path)
    if held and not able and held.isdisjoint(_MENTIONED) and not _NOTED.hold(read.path.name):
        return found  # prose that shows a command, a `terraform {` without anything in it
    found.read = source = decode(repo, read)
    if isinstance(source, Source):
        head = read.data[:512]
        found.sites = [*_ask(able.dialects, source, head, found)]
        found.pins = [*_ask(able.pins, source, head, found)]
        found.runs = [*_ask(able.pipelines, source, head, found)]
        found.definitions = [*_ask(able.tables, source, head, found)]
        found.policies = [*_ask(able.policies, source, head, found)]
    return found


def _ask(plugs: Iterable[Finder[F]], source: Source, head: bytes, into: Taken) -> Iterator[F]:
    for plug in plugs:
        if plug.claims(source.path, head):
            found = plug.find(source)
            into.links += found.links
            into.problems += found.problems
            yield from found.items


def _able_to_read(policies: tuple[PolicySource, ...], read: Read, held: frozenset[bytes]) -> _Able:
    """The plugs whose tokens the file holds or that read a file of its name."""
    name = read.path.name
    wanted = name if interest(policies).read.hold(name) else ""
    return _able(policies, wanted, held, scripts=not runs_nothing(read.path), code=name.endswith(_CODE))


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
def _able(
    policies: tuple[PolicySource, ...], name: str, held: frozenset[bytes], *, scripts: bool, code: bool
) -> _Able:
    def of(plugs: Iterable[S]) -> tuple[S, ...]:
        able = (p for p in plugs if not held.isdisjoint(p.TOKENS) or _names(p.FILES).hold(name))
        return tuple(p for p in able if (scripts or p not in _SCRIPTS) and (p.TERRAFORM or not code))

    return _Able(of(DIALECTS), of(PINS), of(PIPELINES), of(TABLES), of(policies))
