"""What is known and how, and the honest absence of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Generic, Literal, TypeAlias, TypeVar

from msgspec import Struct

from migrate.errors import RelockError

T_co = TypeVar("T_co", covariant=True)
T = TypeVar("T")

By: TypeAlias = Literal["source", "stated", "seen"]


class Known(Struct, Generic[T_co], frozen=True):
    """A fact and how it is known: from a file at a commit, stated by a person, or seen in this run."""

    value: T_co
    by: By = "source"


class Unknown(Struct, frozen=True):
    """The honest absence of a fact. `why` is shown; `settle` is the command or `facts:` entry that would make
    it known. `like`: what it would look like, with `*` for what is not known; empty where nothing tells.
    """

    why: str
    settle: str = ""
    like: str = ""


Fact: TypeAlias = Known[T] | Unknown


def settled(found: T | Unknown, where: str) -> T:
    """What was found. Raises RelockError, about `where`, if it is not known."""
    if isinstance(found, Unknown):
        raise RelockError(found.why, where, found.settle)
    return found


class Stated(Struct, frozen=True):
    """A `facts:` entry of the operator's configuration: `of` maps bucket, state, repository, role or table to
    a glob.
    """

    that: str
    of: Mapping[str, str]
    by: str
    because: str
    until: str
    """The last day it holds, ISO 8601."""


class Seen(Struct, frozen=True):
    """One answer of a `tfrelock.fact/1` document: what was seen of a state, by which role, when (ISO 8601,
    UTC).
    """

    that: str
    state: str
    holds: bool | None
    role: str
    at: str
    because: str
