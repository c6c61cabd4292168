"""Policies of AWS's own that matter for locks and do not change in what they say of them.

As AWS's managed policy reference has them. Any other of AWS's policies is not known.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from migrate.iam.policy import Element, Policy, Statement, Word

_ALL: Final = Element((Word(("*",)),))


def _allowing(name: str, *actions: str, but: bool = False) -> Policy:
    element = Element(tuple(Word((action,)) for action in actions), negated=but)
    statement = Statement("Allow", element, _ALL, where=f"AWS's own {name}")
    return Policy((statement,), f"arn:aws:iam::aws:policy/{name}")


_POLICIES: Final[Mapping[str, Policy]] = {
    "AdministratorAccess": _allowing("AdministratorAccess", "*"),
    "AmazonS3FullAccess": _allowing("AmazonS3FullAccess", "s3:*"),
    "AmazonS3ReadOnlyAccess": _allowing("AmazonS3ReadOnlyAccess", "s3:Get*", "s3:List*", "s3:Describe*"),
    "AmazonDynamoDBFullAccess": _allowing("AmazonDynamoDBFullAccess", "dynamodb:*"),
    "PowerUserAccess": _allowing("PowerUserAccess", "iam:*", "organizations:*", "account:*", but=True),
}


def managed(arn: str) -> Policy | None:
    """The policy of AWS's own with that ARN, in any partition, if it is known here."""
    start, _, name = arn.rpartition(":policy/")
    return _POLICIES.get(name) if start.endswith(":iam::aws") else None
