"""Whoever holds policies, what stands around a bucket, and what follows for the lock of one state."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal, TypeAlias

from msgspec import Struct, field
from msgspec.structs import replace

from migrate.iam.kept import Kept
from migrate.iam.layers import Layer
from migrate.iam.locks import Class, LockVerdict
from migrate.iam.question import Writing
from migrate.iam.request import Caller
from migrate.model import By, Fact, Known, Place, StateId

HolderKind: TypeAlias = Literal["role", "user", "group", "policy"]

_NO_KEY: Final[Known[str | None]] = Known(None)


class Holder(Struct, frozen=True):
    """A role, user or group with the layers that have a say in what it asks for; or a `policy` of which
    nobody sees who holds it.

    `by`: how its layers are known. `caller.account` is empty where source does not tell it. `where`: its
    place in source, None where it was seen live. `name` is unique among those of one run. `inline` are the
    names of the policies that it keeps itself, `attached` is how many managed ones it has. `made`: whether
    what makes it was read, and not only what something else attaches to it.
    """

    kind: HolderKind
    name: str
    caller: Caller
    layers: tuple[Layer, ...]
    by: By
    where: Place | None = None
    inline: tuple[str, ...] = ()
    attached: int = 0
    made: bool = True

    def __str__(self) -> str:
        return f"{self.kind}/{self.name}"


class Surroundings(Struct, frozen=True):
    """What is known of one bucket whoever calls: its account (None: not known), the policies of bucket,
    table, keys and network, and whether it encrypts with a key of its own (None: not known).

    `default_key` is the key of KMS for what is written without a header. `keys` has the ARN of each key by
    the names that backends and bucket give it. `document` is the bucket's policy as it is kept. `unread` says
    what was denied to whoever looked, and is weighed as if it were not there.
    """

    owner: str | None = None
    layers: tuple[Layer, ...] = ()
    bucket_key: bool | None = None
    default_key: Fact[str | None] = _NO_KEY
    keys: Mapping[str, str] = field(default_factory=dict)
    document: Kept | None = None
    unread: tuple[str, ...] = ()

    def writes(self, writing: Writing) -> Writing:
        """How a backend writes into this bucket."""
        return replace(
            writing,
            kms_key=self._arn(writing.kms_key),
            bucket_key=self.bucket_key,
            default_key=self._arn(self.default_key),
        )

    def _arn(self, key: Fact[str | None]) -> Fact[str | None]:
        """A key by its ARN, where that is known."""
        if isinstance(key, Known) and key.value:
            return Known(self.keys.get(key.value, key.value), key.by)
        return key


class Row(Struct, frozen=True):
    """What becomes of the lock of one state when one holder takes it.

    `elsewhere` is the verdict on named workspaces where nobody says that any is used. `assumed`: expressions
    that were taken to mean the state's bucket.
    """

    holder: Holder
    state: StateId
    verdict: LockVerdict
    elsewhere: LockVerdict | None = None
    assumed: tuple[str, ...] = ()

    @property
    def is_known(self) -> bool:
        """Whether the class stands: nothing is assumed or out of sight, and somebody holds the policies."""
        open_ = self.verdict.outcome is Class.UNKNOWN or self.verdict.unseen
        return not (open_ or self.assumed or self.holder.kind == "policy")
