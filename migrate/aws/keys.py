"""The keys of KMS that encrypt what a bucket holds, and who may use them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

import boto3
from msgspec import Struct, field

from migrate.aws.looking import PATIENCE, looked
from migrate.iam.kept import Kept, Other, kept
from migrate.iam.layers import Kind, Layer
from migrate.model import Fact, Known, Unknown

_SEVERAL: Final = "states of this bucket are encrypted with several keys, which are not told apart"
_GRANTED: Final = "the key has grants, which are not weighed"
_USE: Final = frozenset({"GenerateDataKey", "Decrypt"})


class Keys(Struct, frozen=True):
    """The ARN of each key by the name that was asked about, and the layer of their policy."""

    arns: Mapping[str, str] = field(default_factory=dict)
    layer: Layer | None = None


def keys(session: boto3.Session, names: Iterable[str], region: str) -> Keys:
    """The keys of these names, each an id, an alias or an ARN. The policies of several are not told apart."""
    kms = _Kms(session, region)
    found = {name: kms.arn(name) for name in names}
    arns = {name: arn.value for name, arn in found.items() if isinstance(arn, Known) and arn.value}
    unknown = next((arn.why for arn in found.values() if isinstance(arn, Unknown)), "")
    if not found:
        return Keys()
    if unknown or len(set(arns.values())) > 1:
        return Keys(arns, Layer(Kind.KEY, unseen=unknown or _SEVERAL))
    return Keys(arns, kms.layer(next(iter(arns.values()))))


class _Kms:
    def __init__(self, session: boto3.Session, region: str) -> None:
        self._client = session.client("kms", region_name=region, config=PATIENCE)

    def arn(self, name: str) -> Fact[str | None]:
        ask = self._client.describe_key
        return looked("kms:DescribeKey", lambda: str(ask(KeyId=name)["KeyMetadata"]["Arn"]))

    def layer(self, arn: str) -> Layer:
        def read() -> Kept:
            answer = self._client.get_key_policy(KeyId=arn, PolicyName="default")
            return kept(Other(f"key/{arn.rpartition('/')[2]}"), answer["Policy"])

        found = looked("kms:GetKeyPolicy", read)
        if isinstance(found, Unknown):
            return Layer(Kind.KEY, unseen=found.why)
        return Layer(Kind.KEY, (found.value.policy,) if found.value else (), self._grants(arn))

    def _grants(self, arn: str) -> str:
        """Why grants beside the policy may let somebody use the key; empty where none can."""

        def read() -> bool:
            pages = self._client.get_paginator("list_grants").paginate(KeyId=arn)
            return any(_USE & set(one["Operations"]) for page in pages for one in page["Grants"])

        found = looked("kms:ListGrants", read)
        if isinstance(found, Unknown):
            return found.why
        return _GRANTED if found.value else ""
