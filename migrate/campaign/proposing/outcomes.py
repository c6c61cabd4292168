"""What became of a slice that was to be offered, as values."""

from __future__ import annotations

from typing import Literal, TypeAlias

from msgspec import Struct

from migrate.forges import Stop
from migrate.model import ProposalState, RepoId, Unknown

Act: TypeAlias = Literal["open", "update", "none"]


class Offered(Struct, frozen=True):
    """A proposal and what was done, or would be. `state` is None before it is open; `unmarked` is why the
    forge shows nothing of its gates, `doubts` are what may keep it from being merged.
    """

    repo: RepoId
    branch: str
    title: str
    files: int
    act: Act
    draft: bool
    state: ProposalState | None
    unmarked: Unknown | None = None
    doubts: tuple[Stop, ...] = ()


class Declined(Struct, frozen=True):
    """The owner closed it. That is a "no" until the owner opens it again."""

    repo: RepoId
    branch: str
    state: ProposalState


class Withheld(Struct, frozen=True):
    """What was to be done was not, and why. `stands`: the proposal that is open all the same."""

    repo: RepoId
    branch: str
    why: str
    remedy: str
    stands: ProposalState | None = None


class Paused(Struct, frozen=True):
    """It is open although its gates have closed since: a draft, with the reason, until they open."""

    repo: RepoId
    branch: str
    why: str
    act: Act
    state: ProposalState
    unmarked: Unknown | None = None


Outcome: TypeAlias = Offered | Declined | Withheld | Paused
