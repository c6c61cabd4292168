"""The policy of a lock table, by which others may be let in, or kept out."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

import boto3

from migrate.aws.looking import PATIENCE, looked
from migrate.iam.kept import Kept, Other, kept
from migrate.iam.layers import Kind, Layer
from migrate.model import Fact, Known, Unknown

_NO_POLICY: Final = ("PolicyNotFoundException", "ResourceNotFoundException")


def tables(
    session: boto3.Session, arns: Iterable[str], account: str, region: str
) -> tuple[Sequence[Layer], Sequence[str]]:
    """One layer with the policies of these tables, each of which names its own, and why some were not read.

    In an ARN `*` stands for a region or account that nobody tells: then it is taken for this one.
    """
    found = [_policy(session, _here(arn, account, region)) for arn in arns]
    policies = tuple(one.value.policy for one in found if isinstance(one, Known) and one.value)
    unread = dict.fromkeys(one.why for one in found if isinstance(one, Unknown))
    return ((Layer(Kind.TABLE, policies),) if policies else ()), tuple(unread)


def _here(arn: str, account: str, region: str) -> str:
    start, partition, service, where, owner, name = arn.split(":", 5)
    of = region if where == "*" else where
    return ":".join((start, partition, service, of, account if owner == "*" else owner, name))


def _policy(session: boto3.Session, arn: str) -> Fact[Kept | None]:
    _, _, _, region, _, name = arn.split(":", 5)
    dynamodb = session.client("dynamodb", region_name=region, config=PATIENCE)

    def read() -> Kept:
        return kept(Other(name), dynamodb.get_resource_policy(ResourceArn=arn)["Policy"])

    return looked("dynamodb:GetResourcePolicy", read, _NO_POLICY)
