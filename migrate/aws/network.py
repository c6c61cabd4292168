"""The VPC endpoints through which an account may reach S3, and what their policies leave of a request."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

import boto3
from msgspec.structs import replace

from migrate.aws.looking import PATIENCE, looked
from migrate.iam.kept import Other, kept
from migrate.iam.layers import Kind, Layer
from migrate.iam.policy import Element, Named, Policy, Principals, Statement, Word
from migrate.model import Unknown

_GONE: Final = ("deleting", "deleted", "failed", "rejected", "expired")
_STAR: Final = (Word(("*",)),)
_ALL: Final = Statement("Allow", Element(_STAR), Element(_STAR), Principals((Named("*", _STAR[0]),)))


def endpoints(session: boto3.Session, region: str) -> tuple[Layer, ...]:
    """A layer for each endpoint of a region: requests may go through any of them, or through none."""
    ec2 = session.client("ec2", region_name=region, config=PATIENCE)

    def read() -> Sequence[tuple[str, str]]:
        pages = ec2.get_paginator("describe_vpc_endpoints").paginate()
        every = (one for page in pages for one in page["VpcEndpoints"])
        return [(one["VpcEndpointId"], one.get("PolicyDocument", "")) for one in every if _is_ours(one)]

    found = looked("ec2:DescribeVpcEndpoints", read)
    if isinstance(found, Unknown):
        return (Layer(Kind.ENDPOINT, unseen=found.why),)
    return tuple(_layer(name, document) for name, document in found.value or () if document)


def _is_ours(endpoint: Mapping[str, object]) -> bool:
    """Whether it leads to S3, which gateways and interfaces name alike, and is there."""
    service, state = str(endpoint.get("ServiceName")), str(endpoint.get("State"))
    return service.endswith(".s3") and state.lower() not in _GONE


def _layer(name: str, document: str) -> Layer:
    """Who goes through it may do what its policy allows and does not deny; who does not, anything."""
    policy = kept(Other(name), document).policy
    denies = tuple(one for one in policy.statements if one.effect == "Deny")
    allows = tuple(one for one in policy.statements if one.effect == "Allow")
    return Layer(
        Kind.ENDPOINT,
        (
            replace(policy, statements=allows),
            Policy(denies, name, policy.version, hangs_on=f"the way through {name}"),
            Policy((_ALL,), name, hangs_on=f"a way past {name}"),
        ),
    )
