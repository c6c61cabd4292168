"""An AWS of our own in which policies count, and users who have one each.

Whether they count is a setting of the whole server, so these tests have one to themselves.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from http.client import HTTPConnection
from pathlib import Path
from typing import Final, TypeAlias
from uuid import uuid4

import boto3
import pytest
from msgspec import Struct

from migrate.demo import cloud
from migrate.demo.cloud import REGION, Cloud
from tests.cli.estates import Files, Ran, run
from tests.repo import Repo

BUCKET: Final = "acme-state"
ACCOUNT: Final = "123456789012"
"""That of all who sign in to an AWS of our own."""
ALL: Final = ("GetObject", "PutObject", "DeleteObject")
ANYBODY: Final = {"Effect": "Allow", "Principal": {"AWS": "*"}, "Action": "sts:AssumeRole"}

Allowed: TypeAlias = tuple[tuple[str, ...], str]
"""Actions of S3, and a pattern of objects."""


class Aws(Struct, frozen=True):
    """`admin` does what it likes; anybody else what the policy of theirs says."""

    cloud: Cloud
    admin: Mapping[str, str]

    def session(self) -> boto3.Session:
        return signed_in(self.admin["AWS_ACCESS_KEY_ID"], self.admin["AWS_SECRET_ACCESS_KEY"])

    def role(self, name: str, document: str) -> str:
        """The ARN of a role with this policy, which anybody may assume."""
        iam = self.session().client("iam", endpoint_url=self.cloud.endpoint)
        trust = json.dumps({"Version": "2012-10-17", "Statement": [ANYBODY]})
        own = f"{name}-{uuid4().hex[:8]}"  # one account serves all tests
        arn = iam.create_role(RoleName=own, AssumeRolePolicyDocument=trust)["Role"]["Arn"]
        self.put_role_policy(arn, document)
        return arn

    def put_role_policy(self, role: str, document: str) -> None:
        iam = self.session().client("iam", endpoint_url=self.cloud.endpoint)
        name = role.rsplit("/", maxsplit=1)[-1]
        iam.put_role_policy(RoleName=name, PolicyName="state", PolicyDocument=document)

    def session_of(self, role: str) -> Mapping[str, str]:
        """The environment of a session of a role."""
        sts = self.session().client("sts", endpoint_url=self.cloud.endpoint)
        made = sts.assume_role(RoleArn=role, RoleSessionName="run-8841")["Credentials"]
        env = environment(self.cloud, made["AccessKeyId"], made["SecretAccessKey"])
        return {**env, "AWS_SESSION_TOKEN": made["SessionToken"]}

    def user(self, name: str, *statements: Allowed) -> Mapping[str, str]:
        """The environment of a user who may list the bucket, and do these things with these objects."""
        return self.user_with(name, policy(*statements))

    def user_with(self, name: str, document: str) -> Mapping[str, str]:
        """The environment of a user with this policy."""
        iam = self.session().client("iam", endpoint_url=self.cloud.endpoint)
        iam.create_user(UserName=name)
        iam.put_user_policy(UserName=name, PolicyName="p", PolicyDocument=document)
        key = iam.create_access_key(UserName=name)["AccessKey"]
        return environment(self.cloud, key["AccessKeyId"], key["SecretAccessKey"])

    def objects(self) -> list[str]:
        """Every version and every delete marker in the bucket."""
        s3 = self.session().client("s3", endpoint_url=self.cloud.endpoint)
        listed = s3.list_object_versions(Bucket=BUCKET)
        kept = [*listed.get("Versions", []), *listed.get("DeleteMarkers", [])]
        return [one["Key"] for one in kept]

    def current(self) -> list[str]:
        """Every object that is there now."""
        s3 = self.session().client("s3", endpoint_url=self.cloud.endpoint)
        return [one["Key"] for one in s3.list_objects_v2(Bucket=BUCKET).get("Contents", [])]

    def remove_locks(self) -> None:
        s3 = self.session().client("s3", endpoint_url=self.cloud.endpoint)
        for key in self.current():
            if key.endswith(".tflock"):
                s3.delete_object(Bucket=BUCKET, Key=key)

    def put(self, key: str) -> None:
        self.session().client("s3", endpoint_url=self.cloud.endpoint).put_object(Bucket=BUCKET, Key=key)

    def enforce(self, *, on: bool) -> None:
        """The body must not be form-encoded, else moto reads nothing."""
        connection = HTTPConnection("127.0.0.1", self.cloud.port, timeout=20)
        body = "0" if on else "inf"
        connection.request("POST", "/moto-api/reset-auth", body, {"Content-Type": "text/plain"})
        assert connection.getresponse().status == 200
        connection.close()


@cache
def signed_in(key: str, secret: str) -> boto3.Session:
    """One for all requests: each new one reads the descriptions of AWS's services anew, megabytes of them."""
    return boto3.Session(key, secret, None, REGION)


def policy(*statements: Allowed) -> str:
    """Actions and objects; listing the bucket and asking who one is always go with them."""
    bucket = f"arn:aws:s3:::{BUCKET}"
    said = [
        {"Effect": "Allow", "Action": ["s3:ListBucket"], "Resource": bucket},
        {"Effect": "Allow", "Action": ["sts:GetCallerIdentity"], "Resource": "*"},
    ]
    for actions, objects in statements:
        named = [f"s3:{action}" for action in actions]
        said.append({"Effect": "Allow", "Action": named, "Resource": f"{bucket}/{objects}"})
    return json.dumps({"Version": "2012-10-17", "Statement": said})


def environment(aws: Cloud, key: str, secret: str) -> Mapping[str, str]:
    return {
        "AWS_ACCESS_KEY_ID": key,
        "AWS_SECRET_ACCESS_KEY": secret,
        "AWS_ENDPOINT_URL": aws.endpoint,
        "AWS_REGION": REGION,
    }


@pytest.fixture(scope="session")
def enforcing() -> Iterator[Aws]:
    with cloud.running() as server:
        setting_up = Aws(server, environment(server, "acme", "acme"))
        iam = setting_up.session().client("iam", endpoint_url=server.endpoint)
        iam.create_user(UserName="admin")
        every = {"Version": "2012-10-17", "Statement": {"Effect": "Allow", "Action": "*", "Resource": "*"}}
        iam.put_user_policy(UserName="admin", PolicyName="p", PolicyDocument=json.dumps(every))
        key = iam.create_access_key(UserName="admin")["AccessKey"]
        aws = Aws(server, environment(server, key["AccessKeyId"], key["SecretAccessKey"]))
        s3 = setting_up.session().client("s3", endpoint_url=server.endpoint)
        s3.create_bucket(Bucket=BUCKET, CreateBucketConfiguration={"LocationConstraint": "eu-west-1"})
        s3.put_bucket_versioning(Bucket=BUCKET, VersioningConfiguration={"Status": "Enabled"})
        aws.enforce(on=True)
        yield aws


@pytest.fixture
def aws(enforcing: Aws) -> Iterator[Aws]:
    """Whatever a test does, it leaves the bucket as it was."""
    yield enforcing
    s3 = enforcing.session().resource("s3", endpoint_url=enforcing.cloud.endpoint)
    s3.Bucket(BUCKET).object_versions.delete()


class Pipeline:
    """A checkout, and the identity that commands there run as."""

    def __init__(
        self,
        patch: pytest.MonkeyPatch,
        capsys: pytest.CaptureFixture[str],
        new_repo: Callable[[str, Files], Repo],
        folder: Path,
    ) -> None:
        self._patch, self._capsys, self._new, self._folder = patch, capsys, new_repo, folder

    def repository(self, files: Files) -> Path:
        """The folder of a repository with these files."""
        return self._new("net", files).path

    def run(self, *arguments: object) -> Ran:
        return run(self._capsys, *arguments, self._folder / "net")

    def run_as(self, who: Mapping[str, str], *arguments: object) -> Ran:
        """A command over the repository, as somebody."""
        self._patch.delenv("AWS_SESSION_TOKEN", raising=False)
        for name, value in who.items():
            self._patch.setenv(name, value)
        return self.run(*arguments)

    def live(self, who: Mapping[str, str], command: str, *options: object) -> Ran:
        """`iam check` or `iam diff` of the account that the bucket is in."""
        config = self._folder / "operator.yaml"
        config.write_text(f'aws:\n  - {{buckets: [{BUCKET}], account: "{ACCOUNT}"}}\n')
        return self.run_as(who, "iam", command, "--live", "--config", config, *options)

    def check(self, who: Mapping[str, str], text: str, *options: object) -> Ran:
        """What `iam check --self` says as somebody, of a repository with this backend."""
        self.repository({"main.tf": text})
        return self.run_as(who, "iam", "check", "--self", "--other-endpoint", *options)


@pytest.fixture
def pipeline(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    new_repo: Callable[[str, Files], Repo],
    tmp_path: Path,
) -> Pipeline:
    return Pipeline(monkeypatch, capsys, new_repo, tmp_path)
