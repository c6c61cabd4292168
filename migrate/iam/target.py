"""The states whose locks are wanted, and how wide."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from typing import Final, Literal, TypeAlias

from msgspec import Struct

from migrate.iam.address import SUFFIX, Address, Workspaces
from migrate.iam.glob import Glob

TRIO: Final = ("s3:GetObject", "s3:PutObject", "s3:DeleteObject")

Scope: TypeAlias = Literal["as-state", "exact", "prefix", "bucket"]
"""How wide a grant of the lock is: as the policy's own grant of the state, or by the state's key."""


class Target(Struct, frozen=True):
    """A state whose lock is wanted. `actions` are those on the lock object, the trio among them.

    No `address`: whatever state the policy itself tells of, by a lock table that it names. `workspaces`:
    whether named workspaces are used.
    """

    address: Address | None
    actions: tuple[str, ...] = TRIO
    workspaces: bool = False

    def states(self) -> tuple[Glob, ...]:
        """The ARNs of the state in all workspaces there can be: a policy that grants one tells of its use."""
        if self.address is None:
            return ()
        return (self.address.state(), self.address.state(Workspaces.EVERY))


class Grant(Struct, frozen=True):
    """The wish: whoever may write one of these states may take and release its lock.

    `tables` are the names of lock tables that are known.
    """

    targets: tuple[Target, ...]
    scope: Scope = "as-state"
    tables: tuple[str, ...] = ()


def lock_patterns(address: Address, scope: Scope, *, workspaces: bool) -> Iterator[str]:
    """The patterns of a state's lock for a scope that does not follow the policy, as a policy writes them."""
    bucket, key = address.bucket_arn, _escaped(address.key)
    folder, named = posixpath.dirname(key), "/".join(part for part in (address.prefix, "*") if part)
    match scope:
        case "bucket":
            yield f"{bucket}/*{SUFFIX}"
        case "prefix":
            yield "/".join(part for part in (bucket, folder, f"*{SUFFIX}") if part)
            if workspaces and folder:
                yield f"{bucket}/{named}/{folder}/*{SUFFIX}"
        case "exact" | "as-state":
            yield f"{bucket}/{key}{SUFFIX}"
            if workspaces:
                yield f"{bucket}/{named}/{key}{SUFFIX}"


def _escaped(key: str) -> str:
    """A key as a policy writes it, where some signs mean more than themselves."""
    return re.sub(r"[*?]|\$(?=\{)", lambda sign: f"${{{sign[0]}}}", key)
