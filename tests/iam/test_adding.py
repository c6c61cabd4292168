"""Two policies → whether the second is the first with rights to locks added, and nothing else."""

import pytest

from migrate.iam.adding import adds_locks_only
from tests.iam.policies import LOCK, STATE, Json, allow, deny, document

OLD = [allow(["s3:GetObject", "s3:PutObject"], STATE), allow("ec2:*")]
GRANT = allow("s3:DeleteObject", LOCK)


@pytest.mark.parametrize(
    ("new", "only"),
    [
        (OLD, True),
        ([*OLD, GRANT], True),
        ([GRANT, *OLD], True),
        ([OLD[0], allow("s3:DeleteObject", [LOCK, "arn:aws:s3:::acme-state/env:/*.tflock"]), OLD[1]], True),
        ([OLD[0], GRANT], False),
        ([OLD[1], OLD[0], GRANT], False),
        ([*OLD, allow("s3:DeleteObject", STATE)], False),
        ([*OLD, allow("s3:DeleteObject", [LOCK, STATE])], False),
        ([*OLD, {"Effect": "Allow", "Action": "s3:DeleteObject", "NotResource": LOCK}], False),
        ([*OLD, {"Effect": "Allow", "Action": "s3:DeleteObject"}], False),
        ([*OLD, deny("s3:DeleteObject", LOCK)], False),
        ([allow(["s3:GetObject", "s3:PutObject", "s3:DeleteObject"], STATE), OLD[1]], False),
        ([{**OLD[0], "Effect": "Deny"}, OLD[1]], False),
        ([*OLD, {"Effect": "Maybe", "Action": "s3:*"}], False),
    ],
)
def test_only_locks_were_added(new: list[Json], only: bool) -> None:
    assert adds_locks_only(document(*OLD), document(*new)) is only
