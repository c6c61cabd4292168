"""What stands around one bucket: its account, its policy, and how it encrypts what it holds."""

from __future__ import annotations

from typing import Final

import boto3
from msgspec import Struct

from migrate.aws.looking import PATIENCE, looked
from migrate.iam.kept import Kept, OfBucket, kept
from migrate.model import Fact

_NO_POLICY: Final = ("NoSuchBucketPolicy",)
_NO_ENCRYPTION: Final = ("ServerSideEncryptionConfigurationNotFoundError",)
_AWSS_KEY: Final = "alias/aws/s3"
"""The key S3 takes where a bucket asks for KMS and names none."""


class Encryption(Struct, frozen=True):
    """How a bucket encrypts what comes without a header: with this key of KMS or, where None, without one."""

    key: str | None
    bucket_key: bool


def policy(session: boto3.Session, bucket: str, account: str, region: str) -> Fact[Kept | None]:
    """The bucket's policy. Any answer but an Unknown says that the bucket is of `account`."""
    s3 = session.client("s3", region_name=region or None, config=PATIENCE)

    def read() -> Kept:
        answer = s3.get_bucket_policy(Bucket=bucket, ExpectedBucketOwner=account)
        return kept(OfBucket(bucket), answer["Policy"])

    return looked("s3:GetBucketPolicy", read, _NO_POLICY)


def encryption(session: boto3.Session, bucket: str, account: str, region: str) -> Fact[Encryption | None]:
    s3 = session.client("s3", region_name=region or None, config=PATIENCE)

    def read() -> Encryption:
        answer = s3.get_bucket_encryption(Bucket=bucket, ExpectedBucketOwner=account)
        rule = answer["ServerSideEncryptionConfiguration"]["Rules"][0]
        default = rule.get("ApplyServerSideEncryptionByDefault")
        by_kms = default is not None and default["SSEAlgorithm"].startswith("aws:kms")
        key = default.get("KMSMasterKeyID", _AWSS_KEY) if default and by_kms else None
        return Encryption(key, rule.get("BucketKeyEnabled", False))

    return looked("s3:GetEncryptionConfiguration", read, _NO_ENCRYPTION)
