"""Whoever the environment says we are, and what S3 answers them about a lock."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final, cast

import boto3
from botocore.config import Config
from botocore.exceptions import BotoCoreError, ClientError

from migrate.aws.changed import BODY, deleted, written
from migrate.aws.looking import named, next_step
from migrate.aws.session import heard
from migrate.errors import RelockError
from migrate.estate.endpoints import is_aws
from migrate.iam.asking import NO_SUCH_ETAG, Answer, Answers, LockObject

if TYPE_CHECKING:
    from mypy_boto3_s3 import S3Client
    from mypy_boto3_s3.literals import ObjectCannedACLType
    from mypy_boto3_s3.type_defs import PutObjectRequestTypeDef

_PATIENCE: Final = Config(connect_timeout=5, read_timeout=10, retries={"mode": "standard"})
_ANY_REGION: Final = "us-east-1"  # who we are is the same everywhere
_SIGN_IN: Final = (
    "give this process credentials as AWS's own tools take them, then: aws sts get-caller-identity"
)


class Caller:
    """The identity of the environment. `other`: endpoints that are not AWS's own are asked too."""

    def __init__(self, *, other: bool) -> None:
        """Raises RelockError where the environment gives nobody, or leads to an endpoint not allowed."""
        self._other = other
        self._clients: dict[str, S3Client] = {}
        try:
            self._session = heard(boto3.Session())
            sts = self._session.client(
                "sts", region_name=self._session.region_name or _ANY_REGION, config=_PATIENCE
            )
            self._allow(sts.meta.endpoint_url)
            self.arn = sts.get_caller_identity()["Arn"]
        except (BotoCoreError, ClientError) as error:
            name = named(error)
            raise RelockError(
                f"AWS does not say who we are: {name}", "", next_step(name, _SIGN_IN)
            ) from error

    @property
    def profile(self) -> str:
        return self._session.profile_name

    def endpoint(self, region: str) -> str:
        """Where a bucket of the region is asked for, empty of what is no region.

        Raises RelockError where that is not allowed.
        """
        try:
            return self._s3(region).meta.endpoint_url
        except BotoCoreError:
            return ""

    def ask(self, lock: LockObject, /) -> Answers:
        """GET, PUT, HEAD, DELETE, each only if the one before leaves it safe.

        A held lock is not touched. Raises RelockError at once where a PUT or a DELETE succeeds: the store
        does not heed `If-Match`.
        """
        get = self._get(lock)
        if not (get.absent or get.refused):
            return Answers(get)
        put = self._put(lock)
        if not put.may:
            return Answers(get, put)
        head = self._head(lock)
        return Answers(get, put, head, self._delete(lock) if head.absent else None)

    def _get(self, lock: LockObject) -> Answer:
        def get() -> None:
            self._s3(lock.region).get_object(Bucket=lock.bucket, Key=lock.key)["Body"].close()

        return _answer(get)

    def _head(self, lock: LockObject) -> Answer:
        return _answer(lambda: self._s3(lock.region).head_object(Bucket=lock.bucket, Key=lock.key))

    def _put(self, lock: LockObject) -> Answer:
        def put() -> None:
            s3 = self._s3(lock.region)
            made = s3.put_object(**_put(lock))
            raise written(lock, s3.meta.endpoint_url, made.get("VersionId"))

        return _answer(put)

    def _delete(self, lock: LockObject) -> Answer:
        def delete() -> None:
            s3 = self._s3(lock.region)
            gone = s3.delete_object(Bucket=lock.bucket, Key=lock.key, IfMatch=NO_SUCH_ETAG)
            raise deleted(lock, s3.meta.endpoint_url, gone.get("VersionId"))

        return _answer(delete)

    def _s3(self, region: str) -> S3Client:
        if region not in self._clients:
            client = self._session.client("s3", region_name=region or None, config=_PATIENCE)
            self._allow(client.meta.endpoint_url)
            self._clients[region] = client
        return self._clients[region]

    def _allow(self, endpoint: str) -> None:
        if not (self._other or is_aws(endpoint)):
            why = "is not AWS's own: a store that ignores If-Match would lose a lock that somebody holds"
            raise RelockError(
                why, endpoint, "try it on a bucket of no worth first, then add --other-endpoint"
            )


def _put(lock: LockObject) -> PutObjectRequestTypeDef:
    """The PUT that Terraform would send, on a condition that nothing meets."""
    request: PutObjectRequestTypeDef = {"Bucket": lock.bucket, "Key": lock.key, "IfMatch": NO_SUCH_ETAG}
    if lock.headers.encryption:
        request["ServerSideEncryption"] = lock.headers.encryption
    if lock.headers.kms_key:
        request["SSEKMSKeyId"] = lock.headers.kms_key
    if lock.headers.acl:
        request["ACL"] = cast("ObjectCannedACLType", lock.headers.acl)
    return {**request, "ContentType": "application/json", "Body": BODY}


def _answer(request: Callable[[], object]) -> Answer:
    """What a request is answered; where none comes, why."""
    try:
        request()
    except ClientError as error:
        return Answer(error.response["ResponseMetadata"]["HTTPStatusCode"], error.response["Error"]["Code"])
    except BotoCoreError as error:
        return Answer(0, type(error).__name__)
    return Answer(200)
