"""The one shape of the four plug rooms: how a kind of file is found in and edited.

A plug is a plain module that satisfies `Plug`; a room's registry is a list literal of such modules, so that
mypy names the bad module and member on that very line. To add one: the module, its name in the list, its
test.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import PurePosixPath
from typing import Generic, Protocol, TypeAlias, TypeVar

from msgspec import Struct

from migrate.model import Link, Problem, Refusal, Source, Suggestion
from migrate.text import Op

F = TypeVar("F")
W_contra = TypeVar("W_contra", contravariant=True)

Sources: TypeAlias = Mapping[PurePosixPath, Source]
Edits: TypeAlias = Mapping[PurePosixPath, tuple[Op, ...]]


class Found(Struct, Generic[F], frozen=True):
    """What one plug read in one file: items, other files it names, and what it could not read."""

    items: tuple[F, ...] = ()
    links: tuple[Link, ...] = ()
    problems: tuple[Problem, ...] = ()


class Sought(Protocol):
    """What makes a file worth reading: a token in its bytes, or its name."""

    @property
    def TOKENS(self) -> tuple[bytes, ...]: ...
    @property
    def FILES(self) -> tuple[str, ...]: ...


class Plug(Sought, Protocol[F, W_contra]):
    """How one kind of file spells a thing `F` (a Site, Policy, Pin or Run) and takes a wish `W`.

    `TOKENS`: where none of them stands in the bytes, `find` is not called. `FILES`: names of files that are
    read whatever they hold, whole (`.terraform-version`) or by their ending (`*.tfbackend`). `claims` sees
    the path in its repository and the first bytes. `find` never raises on any text: what it cannot read is a
    problem in its answer. `edit` gives operations by file (empty: nothing to do), or says why not.
    """

    @property
    def NAME(self) -> str: ...
    def claims(self, path: PurePosixPath, head: bytes, /) -> bool: ...
    def find(self, source: Source, /) -> Found[F]: ...
    def edit(self, sources: Sources, found: F, wish: W_contra, /) -> Edits | Refusal | Suggestion: ...
