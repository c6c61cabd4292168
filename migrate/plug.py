"""The one shape of the four plug rooms: how a kind of file is found in, and edited where it is ever edited.

A plug is a plain module that satisfies `Plug`, or `Finder` alone, where its own test names it to mypy. A
room's registry is a list literal with a line for each: its name, and what makes a file worth showing to it.
The module itself is imported when there is such a file. To add one: the module, its line in the list, its
test.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property, wraps
from importlib import import_module
from itertools import product
from pathlib import PurePosixPath
from typing import Generic, Protocol, TypeAlias, TypeVar, cast

from msgspec import Struct

from migrate.model import Link, Problem, Refusal, Source, Suggestion
from migrate.text import Op

F = TypeVar("F")
W = TypeVar("W")
W_contra = TypeVar("W_contra", contravariant=True)

Sources: TypeAlias = Mapping[PurePosixPath, Source]
Edits: TypeAlias = Mapping[PurePosixPath, tuple[Op, ...]]


class Found(Struct, Generic[F], frozen=True):
    """What one plug read in one file: items, other files it names, and what it could not read."""

    items: tuple[F, ...] = ()
    links: tuple[Link, ...] = ()
    problems: tuple[Problem, ...] = ()


class Finder(Protocol[F]):
    """How one kind of file spells a thing `F`: a Run, the Definition of a table, or what a `Plug` edits.

    `claims` sees the path in its repository and the first bytes. `find` never raises on any text: what it
    cannot read is a problem in its answer.
    """

    @property
    def NAME(self) -> str: ...
    def claims(self, path: PurePosixPath, head: bytes, /) -> bool: ...
    def find(self, source: Source, /) -> Found[F]: ...


class Plug(Finder[F], Protocol[F, W_contra]):
    """How it also takes a wish `W` for a thing of its own (a Site, Policy or Pin).

    `edit` gives operations by file (empty: nothing to do), or says why not.
    """

    def edit(self, sources: Sources, found: F, wish: W_contra, /) -> Edits | Refusal | Suggestion: ...


def collected(read: Callable[[Source], Iterable[F]]) -> Callable[[Source], Found[F]]:
    """Makes a `find` of a generator: for a plug that finds items, but no links and no problems."""

    @wraps(read)
    def find(source: Source, /) -> Found[F]:
        return Found(tuple(read(source)))

    return find


def items(plugs: Iterable[Finder[F]], source: Source) -> Iterator[F]:
    """What the plugs that claim a file find in it."""
    head = source.text[:512].encode()
    for plug in plugs:
        if plug.claims(source.path, head):
            yield from plug.find(source).items


def joined(*parts: Iterable[bytes]) -> Iterator[bytes]:
    """Tokens that are made of one piece of each part: of `(-, _)` and `(tofu, terraform)` four."""
    return map(b"".join, product(*parts))


class Sought(Protocol):
    """What makes a file worth reading: a token in its bytes, or its name."""

    @property
    def TOKENS(self) -> tuple[bytes, ...]: ...
    @property
    def FILES(self) -> tuple[str, ...]: ...
    @property
    def TERRAFORM(self) -> bool: ...
    @property
    def IN_CODE(self) -> tuple[bytes, ...]: ...


class LateFinder(Struct, Generic[F], frozen=True, eq=False, dict=True):
    """A finder that is imported when it is used: most runs meet files of a few kinds.

    `TOKENS`: where none of them stands in the bytes, the plug is not asked. `FILES`: names of files that are
    read whatever they hold, whole (`.terraform-version`) or by their ending (`*.tfbackend`). `TERRAFORM`:
    whether Terraform's own code is shown to it, which most files of most trees are; `IN_CODE`: the tokens for
    which it is read, where they are fewer.
    """

    room: str
    NAME: str
    TOKENS: tuple[bytes, ...] = ()
    FILES: tuple[str, ...] = ()
    TERRAFORM: bool = False
    IN_CODE: tuple[bytes, ...] = ()

    @cached_property
    def finder(self) -> Finder[F]:
        """The module itself."""
        return cast("Finder[F]", import_module(f"{self.room}.{self.NAME.replace('-', '_')}"))

    def claims(self, path: PurePosixPath, head: bytes, /) -> bool:
        return self.finder.claims(path, head)

    def find(self, source: Source, /) -> Found[F]:
        return self.finder.find(source)


class Late(LateFinder[F], Generic[F, W], frozen=True, eq=False, dict=True):
    """A plug that is imported when it is used."""

    def edit(self, sources: Sources, found: F, wish: W, /) -> Edits | Refusal | Suggestion:
        return cast("Plug[F, W]", self.finder).edit(sources, found, wish)
