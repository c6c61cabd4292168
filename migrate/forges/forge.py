"""What a forge is: it looks, then writes, and each call is safe to repeat."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final, Literal, Protocol, TypeAlias, runtime_checkable

from msgspec import Struct

from migrate.model import Check, Proposal, ProposalState, RepoId, Unknown

Sleep: TypeAlias = Callable[[float], None]
"""Waits that many seconds."""


@runtime_checkable
class Paces(Protocol):
    """A `Sleep` that is asked before each write too, and may wait."""

    def __call__(self, seconds: float, /) -> None: ...
    def write(self) -> None: ...


GATE: Final = "tfrelock/gate"
"""The name of the check that stands beside a proposal."""


class Forge(Protocol):
    """One host of proposals.

    `find` gives what became of the proposal of a branch (an open one before any other, else the newest), None
    when there never was one, Unknown when the forge does not show it. `open` makes one, or gives the one that
    is open; the branch stands before. `update` changes what differs and nothing else: it comes after `open`
    too, since labels and reviewers are calls of their own. `mark` shows beside a commit what its gates say;
    Unknown where the forge does not let us. All but `find` raise RelockError.
    """

    def find(self, repo: RepoId, branch: str, /) -> ProposalState | Unknown | None: ...
    def open(self, proposal: Proposal, /) -> ProposalState: ...
    def update(self, seen: ProposalState, proposal: Proposal, /) -> ProposalState: ...
    def mark(self, repo: RepoId, commit: str, check: Check, /) -> Unknown | None: ...


@dataclass(frozen=True, slots=True)
class Home:
    """Where a repository's branches are pushed: the URL for git, and the branch that proposals go to."""

    url: str
    base: str
    archived: bool
    may_push: bool
    token: str = field(repr=False)
    workflows: bool = True
    """Whether the token may change what the host's own pipelines run, as far as the host says."""
    notes: tuple[Stop, ...] = ()
    """What does not stop a push, and should be known of it."""


class Push(Struct, frozen=True):
    """What would be pushed: the branch, the messages of its commits, whether these are signed, and the branch
    that they are to be merged into.
    """

    branch: str
    messages: tuple[str, ...]
    signed: bool = False
    base: str = ""


class Stop(Struct, frozen=True):
    """Why a push would be refused or not be merged, and what to do about it. Not `sure`: why it may be; that
    is told, and stops nothing.
    """

    why: str
    settle: str
    sure: bool = True


Said: TypeAlias = Literal["made", "changed", "stands", "none"]
Reviews: TypeAlias = Literal["approved", "changes requested", "none", "unknown"]
Checks: TypeAlias = Literal["passed", "failed", "pending", "none", "unknown"]


class Review(Struct, frozen=True):
    """What people and pipelines say of a proposal."""

    reviews: Reviews
    checks: Checks


class Underway(Struct, frozen=True):
    """An open proposal, whoever made it: what it offers to `base`, and the ref that git fetches it by.

    `branch` is empty where it is one of another repository.
    """

    number: str
    url: str
    branch: str
    base: str
    head: str
    ref: str


class Listed(Struct, frozen=True):
    """A repository that a forge lists; `left` is why it is none to work on: archived, a fork, empty."""

    repo: RepoId
    url: str
    left: str = ""


class Host(Forge, Protocol):
    """A forge that is somewhere else.

    `home` is where a repository is pushed, Unknown where the host does not show it. `review` tells how a
    proposal fares. `comment` makes or changes our one comment under a proposal, known by its first line;
    without `make` it is only changed. `withdraw` closes a proposal with a word why. `underway` lists all open
    proposals of a repository, `repositories` all of an organisation or group, or what a search finds. All of
    them raise RelockError, the lists also where not everything is shown.
    """

    def home(self, repo: RepoId, /) -> Home | Unknown: ...
    def review(self, seen: ProposalState, /) -> Review: ...
    def comment(self, repo: RepoId, number: str, body: str, /, *, make: bool) -> Said: ...
    def withdraw(self, seen: ProposalState, words: str, /) -> ProposalState: ...
    def underway(self, repo: RepoId, /) -> Iterator[Underway]: ...
    def repositories(self, kind: Literal["group", "search"], of: str, /) -> Iterator[Listed]: ...
    def close(self) -> None: ...


@runtime_checkable
class Ruled(Protocol):
    """A host that says beforehand what it would refuse, or may. Raises RelockError."""

    def stops(self, repo: RepoId, push: Push, /) -> tuple[Stop, ...]: ...


class File(Struct, frozen=True):
    """A whole file of a commit; `mode` as git has it."""

    path: str
    mode: str
    text: str


class Making(Struct, frozen=True):
    """A commit that a forge is to make on `parent`: `files` over the tree `onto`, from which comes `tree`."""

    parent: str
    onto: str
    tree: str
    message: str
    files: tuple[File, ...]


class Signer(Protocol):
    """Makes commits that the forge signs. `commit` gives the id of one that no branch leads to yet.

    `move` puts a branch there if it is still where it was `seen` (None: nowhere); a "no" is a value. Both are
    safe to repeat, and raise RelockError.
    """

    def commit(self, making: Making, /) -> str: ...
    def move(self, branch: str, tip: str, seen: str | None, /) -> Stop | None: ...


@runtime_checkable
class Signs(Protocol):
    """A host that signs what it makes, for a branch that takes nothing else; None where a push will do."""

    def signer(self, repo: RepoId, branch: str, /) -> Signer | None: ...


class HostModule(Protocol):
    """A file of this folder: a name for `--forge`, and how a host is reached.

    `reach` speaks to the host at a URL (None: the public one) with the token of the environment; RelockError
    without one.
    """

    @property
    def NAME(self) -> str: ...
    def reach(self, url: str | None, environ: Mapping[str, str], sleep: Sleep, /) -> Host: ...
