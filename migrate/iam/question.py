"""Whose lock it is, who takes it with what, and the requests that this comes to."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal, TypeAlias

from msgspec import Struct, field

from migrate.iam.address import Address
from migrate.iam.doubt import Doubt
from migrate.iam.request import Caller, Request, Value
from migrate.model import Engine, Fact, Known

Act: TypeAlias = Literal["take", "release"]
"""Without what takes the lock nothing runs; without what releases it the lock stays and blocks everybody. A
release reads the lock first, to compare its ID."""

Release: TypeAlias = tuple[int, int, int]

_NONE: Final[Known[str | None]] = Known(None)
_NO: Final = Known(value=False)


class Client(Struct, frozen=True):
    """What runs: `release` is None where any release may run."""

    engine: Engine = "terraform"
    release: Release | None = None


class Writing(Struct, frozen=True):
    """How the backend writes objects; the lock gets the headers of the state."""

    encrypt: Fact[bool] = _NO
    kms_key: Fact[str | None] = _NONE
    acl: Fact[str | None] = _NONE
    customer_key: bool = False
    lock_tags: Mapping[str, str] = field(default_factory=dict)
    bucket_key: bool | None = None
    """Whether the bucket encrypts with a key of its own, which decides what KMS is told; None: not known."""
    default_key: Fact[str | None] = _NONE
    """The key of KMS with which the bucket encrypts what comes without a header."""


class Need(Struct, frozen=True):
    """One request a lock stands or falls with. `whether`: the doubt that it is sent at all, where one is."""

    act: Act
    request: Request
    whether: Doubt | None = None


class Question(Struct, frozen=True):
    """Whose lock it is, and who takes it with what."""

    address: Address
    caller: Caller
    owner: str | None = None
    client: Client = Client()
    writing: Writing = Writing()


def common(asked: Question) -> dict[str, Value]:
    """What is the same in every request of a run; who calls is known where its account is."""
    context: dict[str, Value] = {
        "aws:securetransport": ("true",),
        "aws:viaawsservice": ("false",),
        "aws:principalisawsservice": ("false",),
    }
    if asked.address.region:
        context["aws:requestedregion"] = (asked.address.region,)
    if asked.caller.account:
        context |= {"aws:principalarn": (asked.caller.arn,), "aws:principalaccount": (asked.caller.account,)}
    if asked.owner:
        context |= {"aws:resourceaccount": (asked.owner,), "s3:resourceaccount": (asked.owner,)}
    return context
