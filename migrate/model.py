"""The nouns of the migration, frozen.

Nothing here reads, decides or prints. A fact is `Known` with the way it is known, or `Unknown` with what
would settle it; an edit that is not made is a `Refusal`; a place in source is a `Site`. What a client locks
with is a `Lock`, and only `exclusion.py` says which locks exclude each other.
"""

from __future__ import annotations

import enum
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import Generic, Literal, NewType, TypeAlias, TypeVar

from migrate.text import Op, Span

T_co = TypeVar("T_co", covariant=True)
T = TypeVar("T")

RepoId = NewType("RepoId", str)
"""`host/owner/name` from `origin` with credentials cut off, else the name of the repository's folder."""

By: TypeAlias = Literal["source", "stated", "seen"]
Engine: TypeAlias = Literal["terraform", "opentofu"]
Role: TypeAlias = Literal["writer", "reader", "partial", "flag", "generator", "code"]
Scalar: TypeAlias = str | bool | None
"""A literal in a configuration. Numbers keep their text."""


# -- facts --


@dataclass(frozen=True, slots=True)
class Known(Generic[T_co]):
    """A fact and how it is known: from a file at a commit, stated by a person, or seen in this run."""

    value: T_co
    by: By = "source"


@dataclass(frozen=True, slots=True)
class Unknown:
    """The honest absence of a fact. `why` is shown; `settle` is the command or `facts:` entry that would make
    it known.
    """

    why: str
    settle: str = ""


Fact: TypeAlias = Known[T] | Unknown


@dataclass(frozen=True, slots=True)
class Stated:
    """A `facts:` entry of the operator's configuration: `of` maps bucket, state, repository, role or table to
    a glob.
    """

    that: str
    of: Mapping[str, str]
    by: str
    because: str
    until: str
    """The last day it holds, ISO 8601."""


@dataclass(frozen=True, slots=True)
class Seen:
    """One answer of a `tfrelock.fact/1` document: what was seen of a state, by which role, when (ISO 8601,
    UTC).
    """

    that: str
    state: str
    holds: bool | None
    role: str
    at: str
    because: str


# -- source --


@dataclass(frozen=True, slots=True)
class Source:
    """One text file, read once. `path` is relative to its repository and is that of the real file, never of a
    symlink.
    """

    repo: RepoId
    path: PurePosixPath
    text: str


@dataclass(frozen=True, slots=True, order=True)
class Place:
    """Where something stands: repository, path in it, 1-based line."""

    repo: RepoId
    path: PurePosixPath
    line: int

    def __str__(self) -> str:
        return f"{self.path}:{self.line}"


@dataclass(frozen=True, slots=True)
class Setting:
    """One argument as written: `bucket`, `use_lockfile`, `endpoints.dynamodb`.

    `value` is its literal, or Unknown with the text of the expression as `why`. `span` covers the whole
    argument, `value_span` its right-hand side.
    """

    name: str
    value: Fact[Scalar]
    span: Span
    value_span: Span


@dataclass(frozen=True, slots=True)
class Site:
    """One place in source that says something about a lock.

    `name` tells it from its neighbours in the file and survives moved lines (`backend.s3`,
    `data.terraform_remote_state.net`, with `#2` for the second of one name). `root` is the directory it
    configures. `why_not` says why it is never edited (a generated file, an expression nobody can follow);
    None where an edit may try.
    """

    repo: RepoId
    path: PurePosixPath
    dialect: str
    role: Role
    name: str
    span: Span
    line: int
    end_line: int
    settings: tuple[Setting, ...]
    root: PurePosixPath
    why_not: str | None = None
    units: int = 1
    """How many Terragrunt units or generated copies this one place serves."""
    generated: bool = False
    """A generator writes this file: its source is the place to edit."""
    exclusive: bool = False
    """Its generator writes the table or the lockfile, never both: dual lock is impossible there."""

    @property
    def id(self) -> str:
        return f"{self.repo}:{self.path}#{self.name}"

    @property
    def place(self) -> Place:
        return Place(self.repo, self.path, self.line)

    def setting(self, name: str) -> Setting | None:
        """The last setting of that name (later wins), or None."""
        return next((s for s in reversed(self.settings) if s.name == name), None)


LinkKind: TypeAlias = Literal["module", "backend-config", "include"]


@dataclass(frozen=True, slots=True)
class Link:
    """A file that names another one: a module call, `-backend-config=FILE`, an include. `target` is as
    written.
    """

    kind: LinkKind
    origin: Place
    target: str


@dataclass(frozen=True, slots=True)
class Problem:
    """Something in a file that stops us from reading it as meant. `kind` is the id of the finding."""

    kind: Literal["unreadable", "unparsable", "template", "ambiguous"]
    where: Place
    why: str
    remedy: str


@dataclass(frozen=True, slots=True)
class Mention:
    """An exact token that names a lock setting where no dialect claimed it."""

    where: Place
    token: str
    looks_like: Literal["terragrunt", "template", "pipeline", "program", "documentation", "comment", "other"]

    @property
    def accounted(self) -> bool:
        """Documentation and comments set no lock; everything else may."""
        return self.looks_like in ("documentation", "comment")


PinKind: TypeAlias = Literal["constraint", "exact", "image", "unknown"]


@dataclass(frozen=True, slots=True)
class Pin:
    """One place that chooses a version of an engine for the directory `root` and below."""

    repo: RepoId
    path: PurePosixPath
    plug: str
    kind: PinKind
    engine: Engine | Literal["terragrunt"] | None
    """None: the file does not say (`required_version` serves Terraform and OpenTofu)."""
    version: Fact[str]
    span: Span
    """Of the version text itself, without quotes."""
    line: int
    root: PurePosixPath

    @property
    def place(self) -> Place:
        return Place(self.repo, self.path, self.line)


@dataclass(frozen=True, slots=True)
class Run:
    """One run of an engine in a pipeline, Makefile or script. `backend_config` holds its `-backend-config`
    values in order.
    """

    repo: RepoId
    path: PurePosixPath
    plug: str
    engine: Engine | Literal["terragrunt"] | None
    command: str
    """`init`, `plan`, `apply` …; empty where only arguments stand (an environment variable)."""
    arguments: tuple[str, ...]
    backend_config: tuple[str, ...]
    directory: Fact[PurePosixPath]
    span: Span
    line: int

    @property
    def place(self) -> Place:
        return Place(self.repo, self.path, self.line)


# -- locks and states --


class Lock(enum.Enum):
    """What one client takes before it writes a state."""

    TABLE = "table"
    BOTH = "both"
    LOCKFILE = "lockfile"
    NONE = "none"


@dataclass(frozen=True, slots=True, order=True)
class StateId:
    """A state. Exists only when bucket and key are known; `endpoint` is None for AWS's own."""

    bucket: str
    key: str
    endpoint: str | None = None

    def __str__(self) -> str:
        return (
            f"{self.endpoint}/{self.bucket}/{self.key}" if self.endpoint else f"s3://{self.bucket}/{self.key}"
        )


@dataclass(frozen=True, slots=True, order=True)
class Unresolved:
    """A state whose bucket or key is not known: equal to itself alone, never taken for another."""

    repo: RepoId
    path: PurePosixPath
    name: str

    def __str__(self) -> str:
        return f"unresolved:{self.repo}/{self.path}#{self.name}"


@dataclass(frozen=True, slots=True)
class Table:
    """A lock table as a configuration names it."""

    name: Fact[str]
    region: Fact[str]
    account: Fact[str] = Unknown("source does not say whose account", "tfrelock iam check --self")


@dataclass(frozen=True, slots=True, order=True)
class TableId:
    """A lock table. Exists only when all three parts are known."""

    account: str
    region: str
    name: str


@dataclass(frozen=True, slots=True)
class Backend:
    """One effective configuration of one root.

    `inputs` are ordered, later wins: the block (or the winning override), partial files, flags. `settings` is
    their join. `pins` are the version choices that hold for the root. An Unknown lock is never taken for any
    of the four.
    """

    repo: RepoId
    root: PurePosixPath
    inputs: tuple[Site, ...]
    settings: Mapping[str, Setting]
    lock: Fact[Lock]
    state: StateId | Unresolved
    table: Table | None
    engine: Engine = "terraform"
    pins: tuple[Pin, ...] = ()
    units: int = 1

    @property
    def place(self) -> Place:
        return self.inputs[0].place


@dataclass(frozen=True, slots=True)
class Stack:
    """A state with all that is known of its clients: the unit that moves through the steps."""

    id: StateId | Unresolved
    backends: tuple[Backend, ...]
    readers: tuple[Site, ...] = ()


@dataclass(frozen=True, slots=True)
class Idle:
    """A site that configures no state: a block an override replaces, or one in a directory that is only a
    module.
    """

    site: Site
    why: str


@dataclass(frozen=True, slots=True)
class Estate:
    """All stacks of all given repositories, and what stands beside them."""

    stacks: tuple[Stack, ...]
    mentions: tuple[Mention, ...] = ()
    problems: tuple[Problem, ...] = ()
    pins: tuple[Pin, ...] = ()
    runs: tuple[Run, ...] = ()
    stated: tuple[Stated, ...] = ()
    seen: tuple[Seen, ...] = ()
    idle: tuple[Idle, ...] = ()
    floors: Mapping[Engine, str] = field(default_factory=dict)
    """The oldest release to admit, by engine."""


@dataclass(frozen=True, slots=True)
class World:
    """The whole input of a rule. `now` is an ISO 8601 date, UTC."""

    stack: Stack
    estate: Estate
    now: str


# -- answers --


class Outcome(enum.Enum):
    HOLDS = "holds"
    BROKEN = "broken"
    UNKNOWN = "unknown"


Severity: TypeAlias = Literal["error", "warning", "note"]
Fix: TypeAlias = Literal["safe", "review", "none"]


@dataclass(frozen=True, slots=True)
class Verdict:
    """One rule's answer about one subject: one sentence, how it is known, and the next step."""

    rule: str
    subject: str
    outcome: Outcome
    because: str
    settle: str = ""
    by: By = "source"
    where: Place | None = None


@dataclass(frozen=True, slots=True)
class Refusal:
    """An edit we will not make: a value, never an exception, never silence."""

    where: Place
    why: str
    remedy: str


@dataclass(frozen=True, slots=True)
class Suggestion:
    """The exact text to paste where we cannot edit."""

    where: Place
    text: str
    why: str


# -- wishes and changes --


class LockWish(enum.Enum):
    """What a step wants of one site. DUAL: both locks. READ: a reader that does not name the table. RETIRE:
    lockfile only.
    """

    DUAL = "dual-lock"
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


# ── proposals ────────────────────────────────────────────────────────────────────────────────────────────


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
