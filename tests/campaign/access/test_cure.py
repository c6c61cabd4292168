"""The least change of live policies, document by document, and whom no change of ours would help."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import TypeAlias, cast

import pytest
from msgspec.structs import replace

from migrate.campaign.access.accounts import View, saved
from migrate.campaign.access.cure import Wish, cure
from migrate.campaign.access.questions import Asked
from migrate.iam.gaad import Account, read_account
from migrate.iam.holder import Surroundings
from migrate.iam.kept import OfBucket, kept
from migrate.iam.layers import Kind, Layer
from migrate.iam.quota import quotas
from migrate.model import Known
from migrate.weighed import Cured, LiveChange
from tests.campaign.access.test_verdicts import asked
from tests.iam.policies import ACCOUNT, LOCK, OTHER, STATE, Json, allow, deny

GET_PUT = ["s3:GetObject", "s3:PutObject"]
TRIO = [*GET_PUT, "s3:DeleteObject"]
ALL = "arn:aws:s3:::acme-state/*"
SHARED = f"arn:aws:iam::{ACCOUNT}:policy/shared"

Tree: TypeAlias = Mapping[str, object]


def document(*statements: Json) -> Tree:
    return {"Version": "2012-10-17", "Statement": list(statements)}


def role(name: str, *statements: Json, path: str = "/", account: str = ACCOUNT, **more: object) -> Tree:
    inline = [{"PolicyName": "own", "PolicyDocument": document(*statements)}] if statements else []
    arn = f"arn:aws:iam::{account}:role{path}{name}"
    return {"RoleName": name, "Arn": arn, "RolePolicyList": inline, **more}


def managed(*statements: Json, versions: Sequence[str] = ("v1",)) -> Tree:
    listed = [{"VersionId": one, "Document": document(*statements)} for one in versions]
    return {"Arn": SHARED, "DefaultVersionId": versions[0], "PolicyVersionList": listed}


ATTACHED = [{"PolicyName": "shared", "PolicyArn": SHARED}]


def view(*roles: Tree, policies: Sequence[Tree] = (), bucket: Surroundings | None = None) -> View:
    read = read_account([{"RoleDetailList": list(roles), "Policies": list(policies)}], "saved.json")
    assert isinstance(read, Account)
    near = replace(bucket or Surroundings(), owner=ACCOUNT)
    seen = saved([read], [], lambda _: near, of())
    return replace(seen, notes=(), buckets=dict.fromkeys(seen.buckets, near))  # as if read live


def of() -> list[Asked]:
    return [asked(), asked("app/terraform.tfstate")]


def cured(seen: View, wish: Wish | None = None) -> Cured:
    return cure(seen, of(), wish or Wish())


def new_statements(change: LiveChange) -> list[tuple[object, object]]:
    before = json.loads(change.before)["Statement"] if change.before else []
    after = cast("list[dict[str, object]]", json.loads(change.after)["Statement"])
    return [(one["Action"], one["Resource"]) for one in after if one not in before]


def test_an_inline_policy_gains_what_is_missing_and_nothing_else() -> None:
    found = cured(view(role("ci", allow(GET_PUT, ALL), allow("ec2:*"))))
    (change,) = found.changes
    assert found.refusals == ()
    assert (change.name, change.holders) == ("role/ci/own", ("role/ci",))
    assert new_statements(change) == [(["s3:DeleteObject"], "arn:aws:s3:::acme-state/*.tflock")]
    put = "aws iam put-role-policy --role-name ci --policy-name own --policy-document file://"
    assert change.commands == (f"{put}111122223333:role:ci:own.json",)
    assert change.undo == (f"{put}111122223333:role:ci:own.before.json",)
    test, add = json.loads(change.patch)
    assert (test["op"], test["path"], len(test["value"])) == ("test", "/Statement", 2)
    assert (add["op"], add["path"], add["value"]["Action"]) == ("add", "/Statement/1", ["s3:DeleteObject"])


def test_after_the_change_there_is_nothing_left_to_do() -> None:
    before = view(role("ci", allow(GET_PUT, ALL)))
    (change,) = cured(before).changes
    after = view(role("ci", *json.loads(change.after)["Statement"]))
    assert cured(after) == Cured(())


def test_a_shared_policy_is_changed_once_for_all_who_have_it() -> None:
    shared = managed(allow(GET_PUT, ALL), versions=("v7", "v3", "v4", "v5", "v6"))
    found = cured(
        view(
            role("a", AttachedManagedPolicies=ATTACHED),
            role("b", AttachedManagedPolicies=ATTACHED),
            policies=[shared],
        )
    )
    (change,) = found.changes
    assert (change.name, change.holders) == ("policy/shared", ("role/a", "role/b"))
    document = "--policy-document file://111122223333:policy:shared.json"
    assert change.commands == (
        f"aws iam delete-policy-version --policy-arn {SHARED} --version-id v3",
        f"aws iam create-policy-version --policy-arn {SHARED} {document} --set-as-default",
    )
    assert change.undo == (f"aws iam set-default-policy-version --policy-arn {SHARED} --version-id v7",)


def test_where_no_policy_of_its_own_can_be_changed_a_new_one_is_added() -> None:
    arn = "arn:aws:iam::aws:policy/AcmePut"
    awss = {**managed(allow(GET_PUT, [STATE, "arn:aws:dynamodb:*:*:*"])), "Arn": arn}
    found = cured(view(role("ci", AttachedManagedPolicies=[{"PolicyArn": arn}]), policies=[awss]))
    (change,) = found.changes
    assert (change.name, change.before) == ("role/ci/TerraformStateLockFile", None)
    assert new_statements(change) == [(TRIO, [LOCK])]
    assert change.undo == ("aws iam delete-role-policy --role-name ci --policy-name TerraformStateLockFile",)


def test_a_new_one_never_takes_the_place_of_one_that_is_there() -> None:
    arn = "arn:aws:iam::aws:policy/AcmePut"
    awss = {**managed(allow(GET_PUT, ALL)), "Arn": arn}
    own = [{"PolicyName": "TerraformStateLockFile", "PolicyDocument": document(allow(TRIO, f"{LOCK}2"))}]
    holder = {**role("ci", AttachedManagedPolicies=[{"PolicyArn": arn}]), "RolePolicyList": own}
    (change,) = cured(view(holder, policies=[awss])).changes
    assert change.name.startswith("role/ci/TerraformStateLockFile")
    assert (len(change.name), change.before) == (len("role/ci/TerraformStateLockFile") + 6, None)


@pytest.mark.parametrize(
    ("scope", "resource"),
    [
        ("as-state", "arn:aws:s3:::acme-state/net/*.tfstate.tflock"),
        ("exact", LOCK),
        ("prefix", "arn:aws:s3:::acme-state/net/*.tflock"),
        ("bucket", "arn:aws:s3:::acme-state/*.tflock"),
    ],
)
def test_how_wide_it_is(scope: str, resource: str) -> None:
    seen = view(role("ci", allow(GET_PUT, "arn:aws:s3:::acme-state/net/*.tfstate")))
    wish = {"as-state": Wish(), "exact": Wish("exact"), "prefix": Wish("prefix"), "bucket": Wish("bucket")}
    (change,) = cured(seen, wish[scope]).changes
    assert new_statements(change) == [(TRIO, resource)]


DENIES = "denies the lock, and a further Allow cannot help"
BOUNDARY = {"PermissionsBoundaryType": "Policy", "PermissionsBoundaryArn": SHARED}


@pytest.mark.parametrize(
    ("holder", "policies", "why", "remedy"),
    [
        (
            role("AWSReservedSSO_Admin_1", allow(GET_PUT, ALL), path="/aws-reserved/sso.amazonaws.com/"),
            [],
            "IAM Identity Center keeps this role, and would undo the change",
            "grant the lock in the permission set that it comes from",
        ),
        (
            role("AWSServiceRoleForX", allow(GET_PUT, ALL), path="/aws-service-role/x.amazonaws.com/"),
            [],
            "an AWS service keeps this role",
            "run Terraform as another role",
        ),
        (
            role("ci", allow("s3:*"), deny("s3:DeleteObject", ALL)),
            [],
            f"identity policies: without Sid (role/ci/own:9-13) {DENIES}",
            "except the lock from that Deny: it is never weakened here",
        ),
        (
            role("ci", allow(TRIO, ALL), PermissionsBoundary=BOUNDARY),
            [managed(allow(GET_PUT, ALL))],
            "nothing in the permissions boundary allows the lock",
            "allow s3:GetObject, s3:PutObject, s3:DeleteObject on the lock there first",
        ),
    ],
)
def test_whom_no_change_of_ours_would_help(
    holder: Tree, policies: Sequence[Tree], why: str, remedy: str
) -> None:
    found = cured(view(holder, policies=policies))
    assert [(one.why, one.remedy) for one in found.refusals] == [(why, remedy)]
    assert found.changes == ()


KEY = f"arn:aws:kms:eu-west-1:{ACCOUNT}:key/1"


def test_a_key_that_the_holder_may_not_use_is_named_with_what_to_allow() -> None:
    near = Surroundings(default_key=Known(KEY))
    found = cured(view(role("ci", allow(GET_PUT, ALL), allow("kms:Decrypt", KEY)), bucket=near))
    (refusal,) = found.refusals
    assert refusal.why == (
        "no grant of the lock alone would do: kms:GenerateDataKey is not allowed by the identity policies"
    )
    assert refusal.remedy == f"allow kms:GenerateDataKey on {KEY}"


def test_what_is_not_known_is_counted_and_left_alone() -> None:
    missing = [{"PolicyName": "x", "PolicyArn": f"arn:aws:iam::{ACCOUNT}:policy/missing"}]
    found = cured(view(role("ci", allow(GET_PUT, ALL), AttachedManagedPolicies=missing)))
    assert found.changes == ()
    assert found.notes[0].startswith("Verdicts that are not known, and so not cured: 2. ")


def test_a_document_that_would_be_too_long_is_refused() -> None:
    long = [allow("s3:GetObject", f"arn:aws:s3:::acme-{'x' * 200}-{number}/*") for number in range(37)]
    found = cured(view(role("ci", allow(GET_PUT, ALL), *long)))
    assert found.changes == ()
    (refusal,) = found.refusals
    assert refusal.why.startswith("it would have 10,")
    assert refusal.why.endswith(" characters of 10,240")


def test_what_does_not_fit_into_one_policy_goes_into_another() -> None:
    long = [allow("s3:GetObject", f"arn:aws:s3:::acme-{'x' * 200}-{number}/*") for number in range(22)]
    full = managed(allow(GET_PUT, ALL), *long)
    found = cured(view(role("ci", AttachedManagedPolicies=ATTACHED), policies=[full]))
    assert [change.name for change in found.changes] == ["role/ci/TerraformStateLockFile"]


def test_across_accounts_the_bucket_has_to_grant_it_too() -> None:
    arn = f"arn:aws:iam::{OTHER}:role/ci"
    policy = kept(OfBucket("acme-state"), document(allow(GET_PUT, ALL, Principal={"AWS": arn})))
    near = Surroundings(ACCOUNT, (Layer(Kind.BUCKET, (policy.policy,)),), document=policy)
    seen = view(role("ci", allow(GET_PUT, ALL), account=OTHER))
    found = cure(replace(seen, buckets={"acme-state": near}), of(), Wish())
    assert [one.name for one in found.changes] == ["role/ci/own", "bucket/acme-state"]
    assert new_statements(found.changes[1]) == [(["s3:DeleteObject"], "arn:aws:s3:::acme-state/*.tflock")]
    assert json.loads(found.changes[1].after)["Statement"][1]["Principal"] == {"AWS": arn}
    file, owner = f"file://{ACCOUNT}:bucket:acme-state.json", f"--expected-bucket-owner {ACCOUNT}"
    assert found.changes[1].commands == (
        f"aws s3api put-bucket-policy --bucket acme-state --policy {file} {owner}",
    )


def test_an_account_that_may_hold_more_has_room_for_more() -> None:
    full = [allow("ec2:*", "x" * 10_100), allow(GET_PUT, ALL)]
    seen = view(role("ci", *full))
    assert [one.why for one in cured(seen).refusals] == ["it would have 10,412 characters of 10,240"]
    more = replace(seen, quotas={ACCOUNT: quotas({"RolePolicySizeQuota": 20_480})})
    assert [one.name for one in cured(more).changes] == ["role/ci/own"]


def test_no_right_to_put_a_lock_is_given_where_its_release_is_not_known() -> None:
    """Refused at the lock as it is, the role might block everybody after such a change."""
    keep = deny("s3:DeleteObject", "*", Condition={"StringNotEquals": {"aws:SourceVpce": "vpce-1"}})
    attached = role("ci", allow(TRIO, STATE), AttachedManagedPolicies=ATTACHED)
    found = cured(view(attached, policies=[managed(keep)]))
    (refusal,) = found.refusals
    assert found.changes == ()
    assert refusal.why == "no grant of the lock alone would do: s3:DeleteObject hangs on aws:SourceVpce"
