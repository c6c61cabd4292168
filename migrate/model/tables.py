"""What makes a lock table in code, and which names carry the table on."""

from __future__ import annotations

from pathlib import PurePosixPath
from typing import Final, Literal, TypeAlias

from msgspec import Struct

from migrate.model.facts import Fact
from migrate.model.found import Place, RepoId

CarrierKind: TypeAlias = Literal["variable", "value", "local", "output", "argument", "resource", "reader"]


class Carrier(Struct, frozen=True):
    """A name that carries a table's name or ARN on. `followed`: something that was read uses it."""

    kind: CarrierKind
    name: str
    place: Place
    followed: bool


LOCK_KEY: Final = "LockID"
"""The hash key of every lock table: Terraform asks for this one by name."""


class Definition(Struct, frozen=True):
    """One place in code that makes a lock table: a resource, a module call, a template, a program.

    `name` is its address there (`aws_dynamodb_table.locks`, `module.boot`), `table` the name of the table in
    AWS. `guards` are what has to be lifted, or goes with it. It is never edited: `remedy` says what its owner
    does, last of all.
    """

    repo: RepoId
    path: PurePosixPath
    plug: str
    name: str
    table: Fact[str]
    line: int
    end_line: int
    remedy: str
    guards: tuple[str, ...] = ()
    carriers: tuple[Carrier, ...] = ()

    @property
    def id(self) -> str:
        return f"{self.repo}:{self.path}#{self.name}"

    @property
    def place(self) -> Place:
        return Place(self.repo, self.path, self.line)
