"""What a step wants, the change that does it, and what a forge is offered."""

from __future__ import annotations

import enum
from typing import Literal, TypeAlias

from msgspec import Struct

from migrate.model.answers import Outcome
from migrate.model.found import RepoId


class LockWish(enum.Enum):
    """What a step wants of one site. DUAL: both locks. ADOPT: the lockfile where there is no lock. READ: a
    reader that does not name the table. RETIRE: lockfile only. ASSUME: arguments that Terraform 1.10
    removed in `assume_role`, whatever the lock.
    """

    DUAL = "dual-lock"
    ADOPT = "include-unlocked"
    READ = "readers"
    RETIRE = "retire"
    ASSUME = "assume-role"


class Proposal(Struct, frozen=True):
    """An offer to a forge: to merge `branch`, which stands there already, into `base`."""

    repo: RepoId
    branch: str
    base: str
    title: str
    body: str
    draft: bool = False
    labels: tuple[str, ...] = ()
    reviewers: tuple[str, ...] = ()
    """Who is asked to review it, once: users, and teams as `org/team`."""
    owners: tuple[str, ...] = ()
    """The users whose files it changes; they are asked too, where they may review."""
    head: str = ""
    """The commit at which the branch stands; empty before it does."""


class Check(Struct, frozen=True):
    """What a forge shows beside a proposal, on its commit: whether its gates are open, and one sentence."""

    outcome: Outcome
    says: str


Standing: TypeAlias = Literal["open", "merged", "closed"]


class ProposalState(Struct, frozen=True):
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
    author: str = ""
    """Who made it, by the name that its forge gives to users; empty where it does not say."""
