"""What is asked of IAM: who, which action, on which resource or pattern of resources, in which context."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from typing import TypeAlias

from msgspec import Struct, field

from migrate.iam.glob import Glob


class Absence(Enum):
    """Why a context key has no value: the request certainly does not have it, or nobody knows."""

    MISSING = "missing"
    UNKNOWN = "unknown"


Value: TypeAlias = tuple[str, ...] | Glob | Absence
"""The values of a context key; a Glob where the value follows a resource that is a pattern."""


class Caller(Struct, frozen=True):
    """A role or user by its ARN; `session` is the ARN of the assumed role's session. None: not known."""

    arn: str
    session: str | None = None

    @property
    def account(self) -> str:
        """The account number; empty where the source does not tell it."""
        parts = self.arn.split(":")
        return parts[4] if len(parts) > 4 else ""

    @property
    def partition(self) -> str:
        return self.arn.split(":")[1] if ":" in self.arn else "aws"

    @property
    def is_user(self) -> bool:
        return ":user/" in self.arn


class Request(Struct, frozen=True):
    """One action on one resource, or on each resource that a pattern means.

    `context` has its keys in lower case; a key it does not name is missing if it starts as one of `without`,
    else as `others` says. `owner` is the account of the resource, None where nobody knows it.
    """

    action: str
    resource: Glob
    owner: str | None = None
    context: Mapping[str, Value] = field(default_factory=dict)
    others: Absence = Absence.UNKNOWN
    without: tuple[str, ...] = ()

    def value(self, key: str) -> Value:
        name = key.lower()
        if name in self.context:
            return self.context[name]
        return Absence.MISSING if name.startswith(self.without) else self.others
