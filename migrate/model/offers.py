"""What a step wants, the change that does it, and what a forge is offered."""

from __future__ import annotations

import enum
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import Literal, TypeAlias

from migrate.model.found import Engine, RepoId
from migrate.text import Op


class LockWish(enum.Enum):
    """What a step wants of one site. DUAL: both locks. ADOPT: the lockfile where there is no lock. READ: a
    reader that does not name the table. RETIRE: lockfile only.
    """

    DUAL = "dual-lock"
    ADOPT = "include-unlocked"
    READ = "readers"
    RETIRE = "retire"


@dataclass(frozen=True, slots=True)
class Floor:
    """No release below `version` of `engine` is admitted."""

    engine: Engine
    version: str


@dataclass(frozen=True, slots=True)
class Change:
    """One wish for one subject. May span files and is all or nothing."""

    repo: RepoId
    phase: str
    subject: str
    ops: Mapping[PurePosixPath, tuple[Op, ...]]
    notes: tuple[str, ...] = field(default=())
    """What the owner should know of this edit (a comment above the dropped line that stays)."""


@dataclass(frozen=True, slots=True)
class Proposal:
    """An offer to a forge: to merge `branch`, which stands there already, into `base`."""

    repo: RepoId
    branch: str
    base: str
    title: str
    body: str
    draft: bool = False
    labels: tuple[str, ...] = ()


Standing: TypeAlias = Literal["open", "merged", "closed"]


@dataclass(frozen=True, slots=True)
class ProposalState:
    """What became of a proposal, as its forge shows it. Closed without a merge is a "no"."""

    repo: RepoId
    branch: str
    number: str
    """What people call it by: `17`; the local forge's are the names of its files."""
    handle: str
    """What the forge's own API calls it by."""
    url: str
    standing: Standing
    draft: bool
    title: str
    body: str
    labels: tuple[str, ...]
    head: str
    """The commit it offers."""
