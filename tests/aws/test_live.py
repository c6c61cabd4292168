"""`iam check --live` and `iam diff --live` of an account in which policies count, as a reader of it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

import pytest
from botocore.exceptions import ClientError, ReadTimeoutError

from migrate.aws.looking import looked, region_named
from migrate.model import Unknown
from tests.aws.conftest import ACCOUNT, Aws, Pipeline, policy
from tests.aws.store import Store, somebody
from tests.cli.estates import TABLE

ENCRYPTION = ("s3:GetEncryptionConfiguration", "s3:ListBucket")  # what AWS asks for, and what moto does
AROUND = ("ec2:DescribeVpcEndpoints", "dynamodb:GetResourcePolicy")
READS = ("iam:GetAccountAuthorizationDetails", "s3:GetBucketPolicy", *ENCRYPTION, *AROUND)
STUCK = policy((("GetObject", "PutObject"), "*"))


def reader(aws: Aws, name: str, *actions: str) -> Mapping[str, str]:
    """Somebody who may only read what these actions read."""
    statement = {"Effect": "Allow", "Action": [*actions, "sts:GetCallerIdentity"], "Resource": "*"}
    return aws.user_with(name, json.dumps({"Version": "2012-10-17", "Statement": [statement]}))


def test_a_stuck_lock_is_seen_and_cured_by_the_document_that_is_printed(
    aws: Aws, pipeline: Pipeline, tmp_path: Path
) -> None:
    role = aws.role("stuck", STUCK)
    name = role.rsplit("/", maxsplit=1)[-1]
    pipeline.repository({"main.tf": TABLE})
    who = reader(aws, "auditor", *READS, "organizations:DescribeOrganization")
    ran = pipeline.live(who, "check")
    assert f"STUCK-LOCK          role/{name}\n" in ran.out, ran.out
    assert "s3:DeleteObject: nothing in the identity policies allows it" in ran.out
    assert (ran.code, ran.err) == (2, "")

    printed = pipeline.live(who, "diff", "--out", tmp_path / "out")
    file = f"123456789012:role:{name}:state"
    assert f"aws iam put-role-policy --role-name {name} --policy-name state" in printed.out
    assert (tmp_path / "out" / f"{file}.before.json").exists()
    aws.put_role_policy(role, (tmp_path / "out" / f"{file}.json").read_text())

    assert f"ok                  role/{name}\n" in pipeline.live(who, "check").out
    assert f"role/{name}" not in pipeline.live(who, "diff").out


@pytest.mark.parametrize(
    ("name", "actions", "unread"),
    [
        (
            "no-organization",
            READS,
            [
                "account 123456789012: service control policies: organizations:DescribeOrganization",
                "bucket acme-state: resource control policies: organizations:DescribeOrganization",
            ],
        ),
        (
            "no-account",
            (*READS[1:], "organizations:DescribeOrganization"),
            ["account 123456789012: iam:GetAccountAuthorizationDetails"],
        ),
        (
            "no-bucket-policy",
            (READS[0], *ENCRYPTION, *AROUND, "organizations:DescribeOrganization"),
            ["bucket acme-state: bucket policy: s3:GetBucketPolicy"],
        ),
        (
            "no-encryption",
            (*READS[:2], *AROUND, "organizations:DescribeOrganization"),
            ["bucket acme-state: encryption: s3:GetEncryptionConfiguration"],
        ),
        (
            "no-network",
            (*READS[:-2], "organizations:DescribeOrganization"),
            [
                "bucket acme-state: VPC endpoint policy: ec2:DescribeVpcEndpoints",
                "bucket acme-state: table policy: dynamodb:GetResourcePolicy",
            ],
        ),
    ],
)
def test_what_was_denied_is_named_and_leaves_the_answer_partial(
    name: str, actions: tuple[str, ...], unread: list[str], aws: Aws, pipeline: Pipeline
) -> None:
    pipeline.repository({"main.tf": TABLE})
    ran = pipeline.live(reader(aws, name, *actions), "check")
    assert ran.code == 5
    said = [line.partition(" was answered ")[0] for line in ran.err.splitlines()]
    assert said == [f"unreadable {why}" for why in unread]


def test_credentials_that_have_expired_are_named_and_the_rest_is_answered(
    store: str, pipeline: Pipeline, monkeypatch: pytest.MonkeyPatch
) -> None:
    expired = b"<ErrorResponse><Error><Code>ExpiredToken</Code></Error></ErrorResponse>"
    monkeypatch.setattr(Store, "identity", (403, expired))
    pipeline.repository({"main.tf": TABLE})
    ran = pipeline.live(somebody(store), "check")
    assert (ran.code, Store.asked) == (5, [])
    assert ran.out.startswith("UNKNOWN             nobody who is known\n")
    why = f"unreadable aws: account {ACCOUNT}: AWS does not sign us in: ExpiredToken"
    assert ran.err == f"{why}; sign in again: these credentials have expired\n"


def test_no_region_anywhere_is_no_reason_to_give_up(
    aws: Aws, pipeline: Pipeline, monkeypatch: pytest.MonkeyPatch
) -> None:
    aws.role("regionless", STUCK)
    pipeline.repository({"main.tf": TABLE.replace('    region         = "eu-west-1"\n', "")})
    who = dict(reader(aws, "anywhere", *READS, "organizations:DescribeOrganization"))
    del who["AWS_REGION"]
    for name in ("AWS_REGION", "AWS_DEFAULT_REGION"):
        monkeypatch.delenv(name, raising=False)
    ran = pipeline.live(who, "check")
    assert (ran.code, ran.err) == (2, "")
    assert "STUCK-LOCK          role/regionless-" in ran.out


@pytest.mark.parametrize("written", ["acme.example/#", "-", "eu-", "123", "", "EU", "a" * 41])
def test_what_is_no_region_is_none(written: str) -> None:
    assert region_named(written) == ""
    assert region_named("eu-west-1") == "eu-west-1"


def answered(code: str) -> ClientError:
    return ClientError({"Error": {"Code": code}}, "X")


@pytest.mark.parametrize(
    ("error", "why", "settle"),
    [
        (answered("Throttling"), "iam:X was answered Throttling", "ask again when others ask less"),
        (answered("AccessDenied"), "iam:X was answered AccessDenied", "let the reader call iam:X"),
        (
            answered("ExpiredToken"),
            "iam:X was answered ExpiredToken",
            "sign in again: these credentials have expired",
        ),
        (
            answered("InvalidClientTokenId"),
            "iam:X was answered InvalidClientTokenId",
            "let the reader call iam:X; keys of GovCloud or China need AWS_REGION too",
        ),
        (
            ReadTimeoutError(endpoint_url="https://iam"),
            "iam:X was not answered: ReadTimeoutError",
            "ask again",
        ),
    ],
)
def test_a_read_that_ends_without_an_answer_is_not_known(error: Exception, why: str, settle: str) -> None:
    def ask() -> None:
        raise error

    found = looked("iam:X", ask)
    assert isinstance(found, Unknown)
    assert (found.why, found.settle) == (why, settle)


def test_each_request_is_told_by_method_host_and_path(aws: Aws, pipeline: Pipeline) -> None:
    pipeline.repository({"main.tf": TABLE})
    who = reader(aws, "told", *READS, "organizations:DescribeOrganization")
    told = pipeline.live(who, "check", "--verbose").err
    assert {"POST 127.0.0.1/", "GET 127.0.0.1/acme-state"} <= set(told.splitlines())
    kept = ("?", "Authorization", who["AWS_ACCESS_KEY_ID"], who["AWS_SECRET_ACCESS_KEY"])
    assert [one for one in kept if one in told] == []


def test_a_bucket_that_nobody_names_is_not_contacted(aws: Aws, pipeline: Pipeline) -> None:
    pipeline.repository({"main.tf": TABLE.replace("acme-state", "other-state")})
    ran = pipeline.live({}, "check")
    assert (ran.code, ran.out) == (1, "")
    assert ran.err.startswith("tfrelock: no entry of aws: names any bucket of these states")
