"""Which policies are a bucket's, as all of source says it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import PurePosixPath

import pytest
from msgspec.structs import replace

from migrate.campaign.access.roles import FromSource
from migrate.iam.glob import glob
from migrate.iam.layers import Kind, Layer
from migrate.model import Place, RepoId
from migrate.roles import Guard
from tests.iam.policies import Json, allow, deny, document

POLICY = replace(document(deny("s3:DeleteObject", Principal="*")), name="iam/main.tf:2")


def guard(bucket: str, unseen: str = "") -> Guard:
    place = Place(RepoId("acme/net"), PurePosixPath("iam/main.tf"), 2)
    return Guard(glob(bucket), place, () if unseen else (POLICY,), unseen)


@pytest.mark.parametrize(
    ("guards", "hanging", "unseen"),
    [
        (["acme-state"], [""], ""),
        (["acme-state", "*"], [""], ""),  # a bucket has one policy, and this one has its name
        (["acme-logs", "*-logs"], None, ""),
        (["*-state"], ["iam/main.tf:2 being the policy of acme-state"], ""),
        (["*", "*-*"], None, ""),  # of some bucket: nothing written says that it is a state's
        (["acme-state", "acme-state"], ["iam/main.tf:2 being the policy of acme-state"] * 2, ""),
    ],
)
def test_the_policy_of_a_bucket(guards: list[str], hanging: list[str] | None, unseen: str) -> None:
    layers = FromSource((), tuple(map(guard, guards))).around("acme-state").layers
    found = [layer for layer in layers if layer.kind is Kind.BUCKET]
    assert [[one.hangs_on for one in layer.policies] for layer in found] == (
        [] if hanging is None else [hanging]
    )
    assert all(layer.unseen == unseen for layer in found)


def test_one_that_cannot_be_followed_is_told_of_the_buckets_it_may_be_of() -> None:
    known = FromSource((), (guard("*-state", unseen="var.policy is not followed"),))
    assert known.around("acme-state").layers == FromSource(()).around("acme-state").layers
    assert known.unplaced(["acme-logs"]) == ()
    told = "Not weighed: the policy of a bucket at iam/main.tf:2, which may be a state's: "
    assert known.unplaced(["acme-state"]) == (f"{told}var.policy is not followed.",)
    named = FromSource((), (guard("acme-state", unseen="var.policy is not followed"),))
    assert named.around("acme-state").layers[0] == Layer(Kind.BUCKET, (), "var.policy is not followed")


def test_policies_that_nothing_tells_from_a_states_are_counted() -> None:
    known = FromSource((), (guard("*"), guard("*-*"), guard("other-*")))
    said = "iam/main.tf:2 and 1 more, whose name is an expression that does not speak of state"
    assert known.unplaced(["acme-state"]) == (f"Not weighed: the policy of a bucket at {said}.",)


TLS = {"Bool": {"aws:SecureTransport": "false"}}
HEADER = {"StringNotEquals": {"s3:x-amz-server-side-encryption": "aws:kms"}}


@pytest.mark.parametrize(
    ("statement", "told"),
    [
        (deny("s3:DeleteObject", Principal="*"), 1),
        (deny("s3:*", Principal="*", Condition=HEADER), 1),
        (deny("s3:*", Principal="*", Condition=TLS), 0),
        (deny("s3:*", Principal="*", Condition=TLS | HEADER), 0),  # both must hold
        (deny("s3:DeleteBucket", Principal="*"), 0),
        (allow("s3:*", Principal="*"), 0),
    ],
)
def test_what_refuses_no_lock_is_not_told(statement: Mapping[str, Json], told: int) -> None:
    known = FromSource((), (replace(guard("*"), policies=(document(statement),)),))
    assert len(known.unplaced(["acme-state"])) == told
