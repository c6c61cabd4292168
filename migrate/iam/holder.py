"""Whoever holds policies, what stands around a bucket, and what follows for the lock of one state."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from migrate.iam.layers import Layer
from migrate.iam.locks import LockVerdict
from migrate.iam.request import Caller
from migrate.model import By, Place, StateId

HolderKind: TypeAlias = Literal["role", "user", "group", "policy"]


@dataclass(frozen=True, slots=True)
class Holder:
    """A role, user or group with the layers that have a say in what it asks for; or a `policy` of which
    nobody sees who holds it.

    `by`: how its layers are known. `caller.account` is empty where source does not tell it. `where`: its
    place in source, None where it was seen live. `name` is unique among those of one run.
    """

    kind: HolderKind
    name: str
    caller: Caller
    layers: tuple[Layer, ...]
    by: By
    where: Place | None = None

    def __str__(self) -> str:
        return f"{self.kind}/{self.name}"


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What is known of one bucket whoever calls: its account (None: not known), the policies of bucket,
    table, keys and network, and whether it encrypts with a key of its own (None: not known).
    """

    owner: str | None = None
    layers: tuple[Layer, ...] = ()
    bucket_key: bool | None = None


@dataclass(frozen=True, slots=True)
class Row:
    """What becomes of the lock of one state when one holder takes it.

    `elsewhere` is the verdict on named workspaces where nobody says that any is used. `assumed`: expressions
    that were taken to mean the state's bucket.
    """

    holder: Holder
    state: StateId
    verdict: LockVerdict
    elsewhere: LockVerdict | None = None
    assumed: tuple[str, ...] = ()
