"""What becomes of a lock where nobody knows whether a policy is in force."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from migrate.iam.judge import Judge
from migrate.iam.layers import Kind, Layer
from migrate.iam.locks import Class, lock_verdict
from migrate.iam.policy import Policy
from tests.iam.policies import Json, allow, deny, document
from tests.iam.test_locks import ALL, ASKED, GET_PUT, TRIO


def hanging(*statements: Json) -> Policy:
    return replace(document(*statements), hangs_on="count = var.on ? 1 : 0")


@pytest.mark.parametrize(
    ("policies", "outcome"),
    [
        ([hanging(allow(TRIO, ALL))], Class.OK_AS_STATE),
        ([hanging(allow(GET_PUT, ALL))], Class.STUCK_LOCK),
        ([document(allow(GET_PUT, ALL)), hanging(allow(TRIO, ALL))], Class.UNKNOWN),
        ([document(allow(TRIO, ALL)), hanging(allow(TRIO, ALL))], Class.OK),
        ([document(allow(TRIO, ALL)), hanging(deny("s3:*", ALL))], Class.OK_AS_STATE),
        ([document(allow(TRIO, ALL)), hanging(deny("s3:DeleteObject", ALL))], Class.UNKNOWN),
        ([document(allow(TRIO, ALL)), hanging(deny("s3:*", "arn:aws:s3:::other/*"))], Class.OK),
    ],
)
def test_a_policy_of_which_nobody_knows_whether_it_is_in_force(
    policies: list[Policy], outcome: Class
) -> None:
    judge = Judge(ASKED.caller, [Layer(Kind.IDENTITY, tuple(policies))])
    assert lock_verdict(judge, ASKED).outcome is outcome
