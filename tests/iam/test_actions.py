"""Names of actions → those that allow nothing although somebody meant something by them."""

import pytest

from migrate.iam.actions import misnamed
from tests.iam.policies import allow, document


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("s3:PutObjct", "s3:PutObject"),
        ("s3:GetObjects", "s3:GetObject"),
        ("s3:DeletObject", "s3:DeleteObject"),
        ("S3:putobjct", "s3:PutObject"),
        ("s3:ListObjects", "s3:ListBucket"),
        ("s3:ListObjectsV2", "s3:ListBucket"),
        ("s3:HeadObject", "s3:GetObject"),
        ("dynamodb:PutItems", "dynamodb:PutItem"),
        ("kms:GenerateDatakeys", "kms:GenerateDataKey"),
    ],
)
def test_a_name_that_no_action_has_is_told_with_the_one_it_may_be_meant_for(name: str, meant: str) -> None:
    (found,) = misnamed([document(allow(name, "*"))])
    assert (found.name, found.meant) == (name, meant)


@pytest.mark.parametrize(
    "name",
    [
        *("s3:PutObject", "s3:putobject", "S3:PUTOBJECT", "s3:Put*", "s3:PutObjec?", "*"),
        *("s3:GetObjectVersion", "s3:GetObjectAcl", "s3:PutObjectVersionAcl", "s3:DeleteObjectVersion"),
        *("s3:PutObjectRetention", "s3:ListBucketVersions", "s3:ListAllMyBuckets", "s3:GetBucketLocation"),
        *("dynamodb:UpdateItem", "dynamodb:BatchGetItem", "dynamodb:DescribeTimeToLive", "dynamodb:Scan"),
        *("kms:GenerateDataKeyPair", "kms:GenerateDataKeyWithoutPlaintext", "kms:ReEncryptFrom"),
        *("s3:GetObjectFoo", "ec2:RunInstances", "sqs:PutObject", "PutObject"),
    ],
)
def test_no_other_name_is(name: str) -> None:
    assert list(misnamed([document(allow(name, "*"))])) == []
