"""Real Terraform, old and new, on an AWS of our own: what tests do there, and what they look at."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeAlias

import boto3
import pytest
from botocore.exceptions import ClientError
from msgspec import Struct

from migrate.cli.main import relock, run
from migrate.demo import cloud
from migrate.demo.checkout import HOLD, Checkout
from migrate.demo.cloud import REGION, Cloud
from migrate.demo.stage import BUCKET, IN_TABLE, TABLE, backend
from migrate.terraform import CACHE, Terraform, installed
from tests.corpus.program import Edit

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient
    from mypy_boto3_s3 import S3Client

OLD: Final = "1.9.8"
NEW: Final = ("1.11.4", "1.15.5")

AGAIN: Final = "-replace=terraform_data.held"
"""Makes an apply write the state whatever it holds."""


HELD: Final = f"""
resource "terraform_data" "held" {{
  provisioner "local-exec" {{
    command = "{HOLD}"
  }}
}}

output "made" {{
  value = terraform_data.held.id
}}
"""
"""What an apply can be held in the middle of."""

Stores: TypeAlias = tuple[bool, bool]
"""Bucket, table: in which of them a lock is."""
TABLE_ONLY, BOTH, LOCKFILE_ONLY = (False, True), (True, True), (True, False)


def root(key: str, lock: str = IN_TABLE) -> str:
    """A root whose apply can be held in its middle."""
    return backend(key, lock) + HELD


class Lab(Struct, frozen=True):
    cloud: Cloud
    s3: S3Client
    dynamodb: DynamoDBClient

    def checkout(self, folder: Path, release: str) -> Checkout:
        """The folder with this release of Terraform; the test is skipped where it is not to be had."""
        return Checkout(folder.name, terraform(release), folder, self.cloud.env)

    def lock_object(self, key: str) -> object:
        """The lock of a state in the bucket, None if nobody holds it."""
        content = self._object(f"{key}.tflock")
        return None if content is None else json.loads(content)

    def lock_row(self, key: str) -> object:
        """The lock of a state in the table, None if nobody holds it."""
        info = self._row(f"{BUCKET}/{key}", "Info")
        return None if info is None else json.loads(info)

    def digest(self, key: str) -> str | None:
        """The checksum of a state that the table remembers."""
        return self._row(f"{BUCKET}/{key}-md5", "Digest")

    def checksum(self, key: str) -> str | None:
        """The checksum that the state really has."""
        content = self._object(key)
        return None if content is None else hashlib.md5(content).hexdigest()

    def versions(self, key: str) -> list[str]:
        """Every version of a state that was ever written."""
        listed = self.s3.list_object_versions(Bucket=BUCKET, Prefix=key).get("Versions", [])
        return [version["VersionId"] for version in listed if version["Key"] == key]

    def wipe(self, key: str) -> None:
        """No state, no lock, no checksum."""
        for name in (key, f"{key}.tflock"):
            self.s3.delete_object(Bucket=BUCKET, Key=name)
        for lock_id in (f"{BUCKET}/{key}", f"{BUCKET}/{key}-md5"):
            self.dynamodb.delete_item(TableName=TABLE, Key={"LockID": {"S": lock_id}})

    def _object(self, key: str) -> bytes | None:
        try:
            return self.s3.get_object(Bucket=BUCKET, Key=key)["Body"].read()
        except ClientError as error:
            if error.response["Error"]["Code"] != "NoSuchKey":
                raise
            return None

    def _row(self, lock_id: str, attribute: str) -> str | None:
        key = {"LockID": {"S": lock_id}}
        row = self.dynamodb.get_item(TableName=TABLE, Key=key, ConsistentRead=True).get("Item")
        return row[attribute]["S"] if row else None


@contextmanager
def opened() -> Iterator[Lab]:
    """A versioned bucket and a table for as long as the block lasts."""
    with cloud.running() as aws:
        session = boto3.Session("acme", "acme", region_name=REGION)
        s3 = session.client("s3", endpoint_url=aws.endpoint)
        lab = Lab(aws, s3, session.client("dynamodb", endpoint_url=aws.endpoint))
        s3.create_bucket(Bucket=BUCKET, CreateBucketConfiguration={"LocationConstraint": "eu-west-1"})
        s3.put_bucket_versioning(Bucket=BUCKET, VersioningConfiguration={"Status": "Enabled"})
        aws.make_table(TABLE)
        yield lab


def locks_in(checkout: Checkout, lab: Lab, key: str) -> Stores:
    """In which stores an apply holds its lock, bucket and table; both say the same, and both are let go."""
    with checkout.applying(AGAIN) as applying:
        held = [lab.lock_object(key), lab.lock_row(key)]
        done = applying.finish()
    assert (done.code, "Apply complete!" in done.out) == (0, True), done.err
    assert all(lock == held[0] for lock in held if lock and held[0])
    assert (lab.lock_object(key), lab.lock_row(key)) == (None, None)
    return held[0] is not None, held[1] is not None


def edit(folder: Path, phase: str, *options: str) -> Edit:
    """What this program makes of the folder, written."""
    arguments = ["edit", "--phase", phase, "--write", "--format", "json", *options, str(folder)]
    with redirect_stdout(StringIO()) as out, redirect_stderr(StringIO()) as err:
        code = run(relock, arguments)
    assert code == 0, err.getvalue()
    made: Edit = json.loads(out.getvalue())
    return made


def terraform(release: str) -> Terraform:
    for found in installed(Path("/none"), "", CACHE):
        if str(found.release) == release:
            return found
    pytest.skip(f"no Terraform {release} in .cache/terraform")
