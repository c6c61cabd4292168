"""Which policies tell a state from its lock by what S3 tells KMS of the object."""

from __future__ import annotations

import pytest

from migrate.iam.key_rights import told_apart
from tests.iam.policies import Json, document

BUCKET = "arn:aws:s3:::acme-state"
KEYS = ["kms:GenerateDataKey", "kms:Decrypt"]


def looking(effect: str, operator: str, value: str, action: Json = KEYS) -> Json:
    condition = {operator: {"kms:EncryptionContext:aws:s3:arn": value}}
    return {"Sid": "K", "Effect": effect, "Action": action, "Resource": "*", "Condition": condition}


@pytest.mark.parametrize(
    ("statement", "apart"),
    [
        (looking("Allow", "StringEquals", f"{BUCKET}/net.tfstate"), True),
        (looking("Allow", "StringLike", f"{BUCKET}/*.tfstate"), True),
        (looking("Allow", "ArnLike", "arn:aws:s3:::${aws:PrincipalTag/b}/net.tfstate"), True),
        (looking("Allow", "StringLike", f"{BUCKET}/*"), False),
        (looking("Allow", "StringLike", "arn:aws:s3:::${aws:PrincipalTag/b}/*"), False),
        (looking("Allow", "StringLike", f"{BUCKET}*"), False),
        (looking("Allow", "StringEquals", BUCKET), False),
        (looking("Allow", "StringLike", "arn:aws:s3:::acme-logs/*"), False),
        (looking("Allow", "StringNotLike", f"{BUCKET}/*.tflock"), True),
        (looking("Deny", "StringNotLike", f"{BUCKET}/*.tfstate"), True),
        (looking("Deny", "StringNotLike", f"{BUCKET}/*"), False),
        (looking("Deny", "StringLikeIfExists", f"{BUCKET}/*.tflock"), True),
        (looking("Deny", "StringLike", "arn:aws:s3:::acme-logs/*"), False),
        (looking("Allow", "StringEquals", f"{BUCKET}/net.tfstate", "kms:CreateGrant"), False),
        (looking("Allow", "StringEquals", f"{BUCKET}/net.tfstate", "kms:*"), True),
    ],
)
def test_what_looks_at_the_object(statement: Json, apart: bool) -> None:
    said = '"K" looks at kms:encryptioncontext:aws:s3:arn' if apart else ""
    assert told_apart([document(statement)], BUCKET) == said
