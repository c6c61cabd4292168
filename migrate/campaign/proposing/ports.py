"""What a proposal is made with: the commits and branches of one repository, a forge, and pages."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import PurePosixPath
from typing import Protocol

from msgspec import Struct

from migrate.campaign.reading.commit import AtCommit
from migrate.forges import Forge, Push, Stop
from migrate.git.branches import Base
from migrate.git.commits import Logged
from migrate.git.remote import Rejected
from migrate.offer import Offer


class Commits(Protocol):
    """One repository's commits. `base` is what proposals are made on."""

    @property
    def base(self) -> Base: ...
    def read(self, commit: str, paths: Iterable[PurePosixPath], /) -> Mapping[PurePosixPath, bytes]: ...
    def log(self, tip: str, /) -> tuple[Logged, ...]: ...
    def blobs(self, ids: Iterable[str], /) -> Mapping[str, bytes]: ...
    def patch(self, tip: str, /) -> bytes: ...
    def make(self, parent: str, files: Mapping[PurePosixPath, bytes], message: str, /) -> str: ...


class Branches(Protocol):
    """Where the branches of proposals stand: in the checkout, or at its remote.

    `beneath` gives those whose names begin with a prefix and a slash. `put` gives the commit at which the
    branch then stands: `tip`, or that of its kind which the forge signed.
    """

    def beneath(self, prefix: str, /) -> Sequence[str]: ...
    def tip(self, branch: str, /) -> str | None: ...
    def put(self, branch: str, tip: str, seen: str | None, /) -> str | Rejected: ...


class Rules(Struct, frozen=True):
    """What stands against a push: files that the token may not change, and what the forge would refuse."""

    may_change: Callable[[PurePosixPath], bool] = lambda _: True
    stops: Callable[[Push], tuple[Stop, ...]] = lambda _: ()
    signed: bool = False

    def asked(self, branch: str, base: str, messages: Iterable[str]) -> tuple[Stop, ...]:
        """All that would stop a push of these commits, or may."""
        return self.stops(Push(branch, tuple(messages), self.signed, base))


class Ports(Struct, frozen=True):
    """What the outside is reached by, for one repository."""

    commits: Commits
    branches: Branches
    forge: Forge
    page: Callable[[Offer], str]
    paused: Callable[[str], str]
    """The first lines of a page that must not be merged, from the reason."""
    rules: Rules = Rules()
    held: Callable[[], AtCommit] | None = None
    """The base, where it may be another commit than the one that was read."""
