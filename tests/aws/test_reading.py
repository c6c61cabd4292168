"""An account read: its holders with every layer, what stands around a bucket, and what was denied by name."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import TYPE_CHECKING, ClassVar

import boto3
import pytest
from msgspec import Struct

from migrate.aws import Reader
from migrate.demo import cloud
from migrate.demo.cloud import REGION, Cloud
from migrate.errors import RelockError
from migrate.iam.address import Address
from migrate.iam.gaad import Account
from migrate.iam.holder import Holder
from migrate.iam.judge import Judge
from migrate.iam.kept import Managed
from migrate.iam.layers import Kind, Layer
from migrate.iam.locks import Class, lock_verdict
from migrate.iam.question import Question
from migrate.iam.request import Caller
from migrate.model import Known, Unknown
from tests.aws.conftest import ACCOUNT, Aws, environment
from tests.iam.policies import Json, allow, deny, layer

if TYPE_CHECKING:
    from mypy_boto3_s3.type_defs import (
        ServerSideEncryptionByDefaultTypeDef,
        ServerSideEncryptionConfigurationTypeDef,
    )

BUCKET = "acme-read"


def document(*statements: Json) -> str:
    return json.dumps({"Version": "2012-10-17", "Statement": statements})


class Place(Struct, frozen=True):
    """An AWS in which no policy counts, set up as one session does."""

    cloud: Cloud
    session: boto3.Session

    @property
    def env(self) -> Mapping[str, str]:
        keys = self.session.get_credentials()
        assert keys
        token = {"AWS_SESSION_TOKEN": keys.token} if keys.token else {}
        return {**environment(self.cloud, keys.access_key, keys.secret_key), **token}


@pytest.fixture(scope="module")
def place() -> Iterator[Place]:
    with cloud.running() as server:
        yield Place(server, boto3.Session("acme", "acme", None, REGION))


@pytest.fixture
def reads(monkeypatch: pytest.MonkeyPatch) -> Callable[[Mapping[str, str], str], Reader]:
    """A reader of an account, signed in as an environment says."""

    def sign_in(env: Mapping[str, str], account: str) -> Reader:
        monkeypatch.delenv("AWS_SESSION_TOKEN", raising=False)
        for name, value in env.items():
            monkeypatch.setenv(name, value)
        return Reader(account, profile="", role="", region=REGION)

    return sign_in


def account(reader: Reader) -> Account:
    found = reader.account(lambda: None)
    assert isinstance(found, Known), found
    return found.value


def shown(holder: Holder) -> list[tuple[Kind, list[str], str]]:
    return [(one.kind, [policy.name for policy in one.policies], one.unseen) for one in holder.layers]


def test_holders_come_with_inline_attached_and_group_policies_and_the_boundary(
    place: Place, reads: Callable[[Mapping[str, str], str], Reader]
) -> None:
    iam = place.session.client("iam", endpoint_url=place.cloud.endpoint)
    made = iam.create_policy(PolicyName="acme-state", PolicyDocument=document(allow("s3:GetObject")))
    arn = made["Policy"]["Arn"]
    iam.create_policy_version(PolicyArn=arn, PolicyDocument=document(allow("s3:*")), SetAsDefault=True)
    iam.create_role(
        RoleName="ci", Path="/acme/", AssumeRolePolicyDocument=document(), PermissionsBoundary=arn
    )
    iam.put_role_policy(RoleName="ci", PolicyName="own", PolicyDocument=document(allow("dynamodb:*")))
    iam.attach_role_policy(RoleName="ci", PolicyArn=arn)
    iam.create_group(GroupName="ops")
    iam.put_group_policy(GroupName="ops", PolicyName="all", PolicyDocument=document(allow("*")))
    iam.create_user(UserName="ada")
    iam.add_user_to_group(GroupName="ops", UserName="ada")
    found = account(reads(place.env, ACCOUNT))
    assert (found.number, found.flaws) == (ACCOUNT, ())
    assert {str(one): shown(one) for one in found.holders} == {
        "role/ci": [
            (Kind.IDENTITY, ["role/ci/own", "policy/acme-state"], ""),
            (Kind.BOUNDARY, ["policy/acme-state"], ""),
        ],
        "user/ada": [(Kind.IDENTITY, ["group/ops/all"], "")],
    }
    assert [one.caller.arn for one in found.holders if one.kind == "role"] == [
        f"arn:aws:iam::{ACCOUNT}:role/acme/ci"
    ]
    kept = found.documents["policy/acme-state"]
    assert kept.keeper == Managed(arn, "v2", ("v1", "v2"))
    assert str(kept.policy.statements[0]) == "without Sid (policy/acme-state:4-8)"
    assert str(kept.policy.statements[0].actions.words[0]) == "s3:*"


PAGE = """\
<GetAccountAuthorizationDetailsResponse xmlns="https://iam.amazonaws.com/doc/2010-05-08/">
<GetAccountAuthorizationDetailsResult>{more}<RoleDetailList><member>
<Arn>arn:aws:iam::123456789012:role/{role}</Arn><RoleName>{role}</RoleName></member></RoleDetailList>
</GetAccountAuthorizationDetailsResult></GetAccountAuthorizationDetailsResponse>"""
CALLER = """\
<GetCallerIdentityResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/"><GetCallerIdentityResult>
<Arn>arn:aws:iam::123456789012:user/ada</Arn><Account>123456789012</Account>
</GetCallerIdentityResult></GetCallerIdentityResponse>"""
MORE = "<IsTruncated>true</IsTruncated><Marker>m</Marker>"


class Paged(BaseHTTPRequestHandler):
    """An IAM that gives one role a page, is throttled once in between, and keeps its quotas to itself."""

    told: ClassVar[list[str]] = []

    def log_message(self, *_: object) -> None:
        """Nobody reads it."""

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"])).decode()
        self.told.append(body)
        if "GetCallerIdentity" in body:
            self._answer(200, CALLER)
        elif "GetAccountSummary" in body:
            self._answer(403, "<ErrorResponse><Error><Code>AccessDenied</Code></Error></ErrorResponse>")
        elif "Marker=m" not in body:
            self._answer(200, PAGE.format(role="first", more=MORE))
        elif not any("Marker=m" in one for one in self.told[:-1]):
            error = "<ErrorResponse><Error><Code>Throttling</Code></Error></ErrorResponse>"
            self._answer(400, error)
        else:
            self._answer(200, PAGE.format(role="second", more=""))

    def _answer(self, status: int, text: str) -> None:
        self.send_response(status)
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text.encode())


def test_every_page_is_read_and_throttling_is_waited_for(
    reads: Callable[[Mapping[str, str], str], Reader],
) -> None:
    with ThreadingHTTPServer(("127.0.0.1", 0), Paged) as server:
        Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
        pages: list[None] = []
        found = reads(environment(Cloud(server.server_port), "acme", "acme"), ACCOUNT).account(
            lambda: pages.append(None)
        )
        server.shutdown()
    assert isinstance(found, Known)
    assert ([one.name for one in found.value.holders], found.value.flaws) == (["first", "second"], ())
    assert len(pages) == 2


def test_a_bucket_with_its_policy_and_the_key_that_it_encrypts_with(
    place: Place, reads: Callable[[Mapping[str, str], str], Reader]
) -> None:
    s3 = place.session.client("s3", endpoint_url=place.cloud.endpoint)
    key = place.session.client("kms", endpoint_url=place.cloud.endpoint).create_key()["KeyMetadata"]
    s3.create_bucket(Bucket=BUCKET, CreateBucketConfiguration={"LocationConstraint": "eu-west-1"})
    s3.put_bucket_policy(Bucket=BUCKET, Policy=document(deny("s3:DeleteObject", Principal="*")))
    rule: ServerSideEncryptionByDefaultTypeDef = {"SSEAlgorithm": "aws:kms", "KMSMasterKeyID": key["KeyId"]}
    encryption: ServerSideEncryptionConfigurationTypeDef = {
        "Rules": [{"ApplyServerSideEncryptionByDefault": rule, "BucketKeyEnabled": True}]
    }
    s3.put_bucket_encryption(Bucket=BUCKET, ServerSideEncryptionConfiguration=encryption)
    found = reads(place.env, ACCOUNT).around(BUCKET, REGION, [], [])
    assert (found.owner, found.bucket_key) == (ACCOUNT, True)
    assert found.default_key == Known(key["KeyId"], "seen")
    assert found.keys == {key["KeyId"]: key["Arn"]}
    assert [(one.kind, len(one.policies), one.unseen) for one in found.layers] == [
        (Kind.BUCKET, 1, ""),
        (Kind.KEY, 1, ""),
    ]
    assert found.document
    assert str(found.document.keeper) == f"bucket/{BUCKET}"


FULL: Json = {"Effect": "Allow", "Principal": "*", "Action": "*", "Resource": "*"}
STATE: Json = {**allow(["s3:GetObject", "s3:PutObject"], "arn:aws:s3:::acme-state/*"), "Principal": "*"}
WAYS: list[tuple[list[Json], Class]] = [
    ([FULL], Class.OK),
    ([FULL, {**deny("s3:DeleteObject"), "Principal": "*"}], Class.UNKNOWN),
    ([STATE], Class.UNKNOWN),
    ([{**allow("s3:*", "arn:aws:s3:::acme-data/*"), "Principal": "*"}], Class.OK_AS_STATE),
]


def test_requests_may_go_through_any_way_to_s3_or_past_it(
    place: Place, reads: Callable[[Mapping[str, str], str], Reader]
) -> None:
    """Where the state cannot be written by a way either, nobody goes it."""
    ec2 = place.session.client("ec2", endpoint_url=place.cloud.endpoint)
    vpc = ec2.create_vpc(CidrBlock="10.0.0.0/16")["Vpc"]["VpcId"]
    for service, statements in (("dynamodb", [FULL]), *(("s3", statements) for statements, _ in WAYS)):
        name = f"com.amazonaws.{REGION}.{service}"
        ec2.create_vpc_endpoint(VpcId=vpc, ServiceName=name, PolicyDocument=document(*statements))
    reader = reads(place.env, ACCOUNT)
    asked = Question(Address("acme-state", "net.tfstate"), Caller(f"arn:aws:iam::{ACCOUNT}:role/ci"), ACCOUNT)
    judges = (
        Judge(asked.caller, (layer(Kind.IDENTITY, allow("s3:*")), way)) for way in reader.endpoints(REGION)
    )
    assert [lock_verdict(judge, asked).outcome for judge in judges] == [outcome for _, outcome in WAYS]
    assert reader.endpoints("eu-central-1") == ()


def test_the_policies_of_lock_tables_are_one_layer(
    place: Place, reads: Callable[[Mapping[str, str], str], Reader]
) -> None:
    dynamodb = place.session.client("dynamodb", endpoint_url=place.cloud.endpoint)
    for name in ("acme-told", "acme-untold"):
        dynamodb.create_table(
            TableName=name,
            AttributeDefinitions=[{"AttributeName": "LockID", "AttributeType": "S"}],
            KeySchema=[{"AttributeName": "LockID", "KeyType": "HASH"}],
            BillingMode="PAY_PER_REQUEST",
        )
    arn = f"arn:aws:dynamodb:{REGION}:{ACCOUNT}:table"
    dynamodb.put_resource_policy(
        ResourceArn=f"{arn}/acme-told",
        Policy=document({**deny("dynamodb:PutItem", f"{arn}/acme-told"), "Principal": "*"}),
    )
    tables = [f"arn:aws:dynamodb:*:*:table/{name}" for name in ("acme-told", "acme-untold", "acme-gone")]
    found = reads(place.env, ACCOUNT).around("acme-tables", REGION, [], tables)
    told = [one for one in found.layers if one.kind is Kind.TABLE]
    assert [[policy.name for policy in layer.policies] for layer in told] == [["table/acme-told"]]
    assert found.unread == ()


def test_a_bucket_of_two_keys_leaves_their_policies_unseen(
    place: Place, reads: Callable[[Mapping[str, str], str], Reader]
) -> None:
    kms = place.session.client("kms", endpoint_url=place.cloud.endpoint)
    keys = [kms.create_key()["KeyMetadata"]["Arn"] for _ in range(2)]
    place.session.client("s3", endpoint_url=place.cloud.endpoint).create_bucket(
        Bucket="acme-two", CreateBucketConfiguration={"LocationConstraint": "eu-west-1"}
    )
    found = reads(place.env, ACCOUNT).around("acme-two", REGION, keys, [])
    several = "states of this bucket are encrypted with several keys, which are not told apart"
    assert found.layers == (Layer(Kind.KEY, unseen=several),)
    assert found.default_key == Known(None, "seen")


def test_what_is_denied_is_not_visible_and_never_absent(
    aws: Aws, reads: Callable[[Mapping[str, str], str], Reader]
) -> None:
    reader = reads(aws.user("blind"), ACCOUNT)
    found = reader.account(lambda: None)
    assert isinstance(found, Unknown)
    assert found.why == "iam:GetAccountAuthorizationDetails was answered AccessDenied"
    near = reader.around("acme-state", REGION, ["alias/acme"], [])
    assert near.owner is None
    assert [
        (one.kind, one.unseen.split()[0]) for one in (*near.layers, *reader.limits(ACCOUNT, Kind.SCP))
    ] == [
        (Kind.BUCKET, "s3:GetBucketPolicy"),
        (Kind.KEY, "kms:DescribeKey"),
        (Kind.SCP, "organizations:DescribeOrganization"),
    ]


def test_in_another_account_nothing_is_read(
    place: Place, reads: Callable[[Mapping[str, str], str], Reader]
) -> None:
    with pytest.raises(RelockError) as refused:
        reads(place.env, "999999999999")
    assert str(refused.value) == (
        "aws: account 999999999999: the caller is of account 123456789012: nothing was read\n"
        "  try: correct `profile`, `role` or `account` of that entry of aws: in the operator's configuration"
    )


@pytest.mark.parametrize(
    ("profile", "role", "why"),
    [
        ("nobody", "", "AWS does not sign us in: ProfileNotFound"),
        (
            "",
            "arn:aws:iam::999999999999:role/read",
            "the caller is of account 999999999999: nothing was read",
        ),
    ],
)
def test_an_entry_is_taken_at_its_word(
    profile: str, role: str, why: str, place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in place.env.items():
        monkeypatch.setenv(name, value)
    with pytest.raises(RelockError) as refused:
        Reader(ACCOUNT, profile=profile, role=role, region=REGION)
    assert refused.value.what == why


@pytest.mark.parametrize("region", ["eu-west-1.evil.example/", "${var.region}", "A B"])
def test_a_region_that_is_none_makes_up_no_host(
    region: str, place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in place.env.items():
        monkeypatch.setenv(name, value)
    reader = Reader(ACCOUNT, profile="", role="", region=region)
    (layer,) = reader.around("acme-none", region, [], []).layers
    assert layer.unseen == "s3:GetBucketPolicy was answered NoSuchBucket"


def test_a_role_is_assumed_where_the_entry_names_one(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in place.env.items():
        monkeypatch.setenv(name, value)
    role = "arn:aws:iam::999999999999:role/read"
    assert account(Reader("999999999999", profile="", role=role, region=REGION)).number == ""


def test_each_level_of_an_organization_is_a_layer_of_its_own(
    place: Place, reads: Callable[[Mapping[str, str], str], Reader]
) -> None:
    organizations = place.session.client("organizations", endpoint_url=place.cloud.endpoint)
    assert reads(place.env, ACCOUNT).limits(ACCOUNT, Kind.SCP) == ()
    organizations.create_organization(FeatureSet="ALL")
    assert reads(place.env, ACCOUNT).limits(ACCOUNT, Kind.SCP) == (), (
        "the account that manages it is not limited"
    )
    member = organizations.create_account(AccountName="net", Email="net@acme.example")
    number = member["CreateAccountStatus"]["AccountId"]
    made = organizations.create_policy(
        Name="no-delete", Description="d", Type="SERVICE_CONTROL_POLICY", Content=document(deny("s3:Delete*"))
    )
    organizations.attach_policy(PolicyId=made["Policy"]["PolicySummary"]["Id"], TargetId=number)
    layers = reads(place.env, ACCOUNT).limits(number, Kind.SCP)
    assert [(one.unseen, [policy.name for policy in one.policies]) for one in layers] == [
        ("", [f"{Kind.SCP.value}/FullAWSAccess", f"{Kind.SCP.value}/no-delete"]),
        ("", [f"{Kind.SCP.value}/FullAWSAccess"]),
    ]
