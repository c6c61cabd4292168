"""What stands in source: a file, a place in it, and what the plugs find there."""

from __future__ import annotations

import posixpath
from collections.abc import Mapping
from functools import cached_property
from pathlib import PurePosixPath
from typing import Final, Literal, NewType, TypeAlias

from msgspec import Struct

from migrate.model.facts import Fact, Known
from migrate.text import Span

RepoId = NewType("RepoId", str)
"""`host/owner/name` from `origin` with credentials cut off, else the name of the repository's folder."""

Engine: TypeAlias = Literal["terraform", "opentofu"]
Role: TypeAlias = Literal["writer", "reader", "partial", "flag", "generator", "code"]
Scalar: TypeAlias = str | bool | None
"""A literal in a configuration. Numbers keep their text."""


class Source(Struct, frozen=True):
    """One text file, read once. `path` is relative to its repository and is that of the real file, never of a
    symlink.
    """

    repo: RepoId
    path: PurePosixPath
    text: str


class Place(Struct, frozen=True, order=True):
    """Where something stands: repository, path in it, 1-based line."""

    repo: RepoId
    path: PurePosixPath
    line: int

    def __str__(self) -> str:
        return f"{self.path}:{self.line}"


class Setting(Struct, frozen=True):
    """One argument as written: `bucket`, `use_lockfile`, `endpoints.dynamodb`.

    `value` is its literal, or Unknown with the text of the expression as `why`. `span` covers the whole
    argument, `value_span` its right-hand side.
    """

    name: str
    value: Fact[Scalar]
    span: Span
    value_span: Span

    @property
    def by_name(self) -> bool:
        """Whether its name is written there; else it may come out of the expression at `span`."""
        return self.span != self.value_span


class Site(Struct, frozen=True, dict=True):
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
    copy_of: str | None = None
    """The id of the site in the generator's source that it is a copy of: both change together."""
    exclusive: bool = False
    """Its generator writes the table or the lockfile, never both: dual lock is impossible there."""

    @cached_property
    def id(self) -> str:
        return f"{self.repo}:{self.path}#{self.name}"

    @property
    def place(self) -> Place:
        return Place(self.repo, self.path, self.line)

    @property
    def is_unread(self) -> bool:
        """It makes a backend, or names a lock for one, in a form of which no state is known."""
        return self.role in ("code", "flag", "generator") and not self.settings

    def setting(self, name: str) -> Setting | None:
        """The last setting of that name (later wins), or None."""
        return self._last.get(name)

    @cached_property
    def _last(self) -> Mapping[str, Setting]:
        return {setting.name: setting for setting in self.settings}


LinkKind: TypeAlias = Literal["module", "backend-config", "variables", "include", "backend"]


def within(directory: PurePosixPath, target: str) -> PurePosixPath:
    """A relative path as written in a file of `directory`, from the top of the repository. No symlink is
    followed.
    """
    return PurePosixPath(posixpath.normpath(posixpath.join(str(directory), target)))


class Link(Struct, frozen=True):
    """A file that names another one: a module call, `-backend-config=FILE`, what reads a file of variables,
    an include. `target` is as written, `*` for what is filled in; of a `backend` that is not S3 its kind.
    """

    kind: LinkKind
    origin: Place
    target: str

    @property
    def path(self) -> PurePosixPath:
        """The file or folder that a relative target means, from the top of the repository."""
        return within(self.origin.path.parent, self.target)


class Problem(Struct, frozen=True):
    """Something in a file that stops us from reading it as meant. `kind` is the id of the finding."""

    kind: Literal["unreadable", "unparsable", "template", "ambiguous", "misnamed"]
    where: Place
    why: str
    remedy: str


Look: TypeAlias = Literal[
    "terragrunt", "template", "pipeline", "program", "documentation", "comment", "carrier", "other"
]
"""What a file, or a part of it, looks like."""


class Mention(Struct, frozen=True):
    """An exact token that names a lock setting where no dialect claimed it."""

    where: Place
    token: str
    looks_like: Look

    @property
    def accounted(self) -> bool:
        """Documentation, comments and names that are only handed on set no lock; everything else may."""
        return self.looks_like in ACCOUNTED


ACCOUNTED: Final = ("documentation", "comment", "carrier")
"""What a mention looks like where it sets no lock."""


PinKind: TypeAlias = Literal[
    "constraint",
    "exact",
    "unknown",
    "asked",  # unknown, unless another file sets the variable of that name
]


class Pin(Struct, frozen=True):
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
    everywhere: bool = False
    """It holds for every root below (a workflow); else a pin of its plug nearer to a root replaces it."""
    name: str = ""
    """The variable or key that holds the version, where one does."""

    @property
    def place(self) -> Place:
        return Place(self.repo, self.path, self.line)


_YES: Final = Known(value=True)
_NO: Final = Known(value=False)


class Run(Struct, frozen=True):
    """One run of an engine in a pipeline, Makefile or script, as its command line says it.

    What deletes a lock (`delete-item`) or keeps initialised directories (`cache`) is a run of no engine.
    """

    repo: RepoId
    path: PurePosixPath
    plug: str
    engine: Engine | Literal["terragrunt"] | None
    command: str
    """`init`, `plan`, `apply` …; empty where only arguments stand."""
    arguments: tuple[str, ...]
    backend_config: tuple[str, ...]
    """Its `-backend-config` values in order."""
    directory: Fact[PurePosixPath]
    span: Span
    line: int
    verb: Span | None = None
    """Where `command` stands as a word of a shell; None where it is an item of a list or a key."""
    job: str = ""
    """What it shares its working tree with: the runs of one file and job come one after another. Empty where
    its file is no pipeline, script or recipe that is read as one.
    """
    ambient: tuple[str, ...] = ()
    """Arguments that `TF_CLI_ARGS…` of the same file adds."""
    captured: bool = False
    """Another program reads what it prints."""
    automated: bool = False
    """A pipeline runs it, nobody at a desk."""
    serialised: Fact[bool] = _NO
    """Whether the pipeline lets only one such run go at a time."""
    kept: Fact[bool] = _YES
    """Whether it may meet a `.terraform` of an earlier run."""

    @property
    def place(self) -> Place:
        return Place(self.repo, self.path, self.line)

    @property
    def said(self) -> tuple[str, ...]:
        """All arguments, those of the environment first, as the engine joins them."""
        return (*self.ambient, *self.arguments)
