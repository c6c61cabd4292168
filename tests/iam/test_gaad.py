"""A saved answer of `get-account-authorization-details`: what it has, and what of it cannot be taken."""

from __future__ import annotations

from collections.abc import Mapping
from urllib.parse import quote

import pytest

from migrate.iam.gaad import Account, read_account
from migrate.iam.kept import Inline, Managed
from tests.iam.policies import ACCOUNT, CI, Json, allow

STATE = {"Version": "2012-10-17", "Statement": [allow("s3:*")]}
TEXT = '{"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": "s3:*", "Resource": "*"}]}'
SHARED = f"arn:aws:iam::{ACCOUNT}:policy/acme/shared"


def role(document: object = STATE, **more: Json) -> Mapping[str, object]:
    own = {"PolicyName": "own", "PolicyDocument": document}
    return {"RoleName": "ci", "Arn": CI, "RolePolicyList": [own], **more}


def account(*roles: object, **more: object) -> Account:
    found = read_account([{"RoleDetailList": list(roles), **more}], "saved.json")
    assert isinstance(found, Account), found
    return found


@pytest.mark.parametrize("document", [STATE, TEXT, quote(TEXT)])
def test_a_document_may_be_a_tree_a_text_or_url_encoded(document: object) -> None:
    found = account(role(document))
    kept = found.documents["role/ci/own"]
    assert kept.keeper == Inline("role", "ci", "own")
    assert kept.text.splitlines()[:3] == ["{", '    "Version": "2012-10-17",', '    "Statement": [']
    (layer,) = found.holders[0].layers
    assert [str(word) for word in layer.policies[0].statements[0].actions.words] == ["s3:*"]
    assert layer.hidden == ""


@pytest.mark.parametrize(
    "document", [None, 7, "", "%7B", "not JSON", [], {"Statement": [{"Effect": "Allow"}]}]
)
def test_a_document_nobody_can_read_is_not_taken_for_an_empty_one(document: object) -> None:
    (layer,) = account(role(document)).holders[0].layers
    assert layer.hidden.startswith("role/ci/own")


def test_a_managed_policy_counts_in_its_default_version() -> None:
    versions = [{"VersionId": "v2", "Document": STATE}, {"VersionId": "v1", "Document": {"Statement": []}}]
    policy = {"Arn": SHARED, "DefaultVersionId": "v2", "PolicyVersionList": versions}
    attached = [{"PolicyName": "shared", "PolicyArn": SHARED}]
    found = account(role(AttachedManagedPolicies=attached), Policies=[policy])
    assert found.documents["policy/acme/shared"].keeper == Managed(SHARED, "v2", ("v2", "v1"))
    (layer,) = found.holders[0].layers
    assert [(policy.name, len(policy.statements)) for policy in layer.policies] == [
        ("role/ci/own", 1),
        ("policy/acme/shared", 1),
    ]


def test_what_is_attached_and_not_in_the_answer_is_not_visible() -> None:
    arn = "arn:aws:iam::aws:policy/ReadOnlyAccess"
    boundary = {"PermissionsBoundaryType": "Policy", "PermissionsBoundaryArn": SHARED}
    found = account(role(AttachedManagedPolicies=[{"PolicyArn": arn}], PermissionsBoundary=boundary))
    assert [layer.hidden for layer in found.holders[0].layers] == [
        f"the answer does not have policy {arn}",
        f"the answer does not have policy {SHARED}",
    ]
    (flaw,) = found.flaws
    assert flaw == (
        f"saved.json does not have policy {arn}, policy {SHARED}, "
        "which its roles and users hold: save it without --filter"
    )


def test_a_policy_is_not_taken_for_awss_own_of_the_same_name() -> None:
    awss, ours = "arn:aws:iam::aws:policy/Deploy", f"arn:aws:iam::{ACCOUNT}:policy/Deploy"
    policies = [
        {"Arn": arn, "DefaultVersionId": "v1", "PolicyVersionList": [{"VersionId": "v1", "Document": STATE}]}
        for arn in (awss, ours)
    ]
    found = account(role(AttachedManagedPolicies=[{"PolicyArn": awss}]), Policies=policies)
    assert [policy.name for policy in found.holders[0].layers[0].policies] == ["role/ci/own", awss]
    assert found.documents["policy/Deploy"].keeper == Managed(ours, "v1", ("v1",))


def test_a_user_of_a_group_that_is_missing_is_not_wholly_visible() -> None:
    user = {"UserName": "ada", "Arn": CI.replace("role/acme-ci", "user/ada"), "GroupList": ["ops"]}
    found = account(UserDetailList=[user])
    assert [layer.hidden for layer in found.holders[0].layers] == ["the answer does not have group ops"]


@pytest.mark.parametrize("more", [{"IsTruncated": True}, {"NextToken": "AAA"}])
def test_an_answer_that_ends_in_the_middle_says_so(more: Mapping[str, object]) -> None:
    found = account(role(), **more)
    assert [str(one) for one in found.holders] == ["role/ci"]
    assert found.flaws == (
        "saved.json ends in the middle: more roles and policies were not saved; save it without --max-items",
    )


@pytest.mark.parametrize(
    ("answer", "flaw"),
    [
        ({"RoleDetailList": "x"}, "has RoleDetailList not as AWS gives it: save it once more"),
        ({"RoleDetailList": [role(AttachedManagedPolicies={})]}, "has AttachedManagedPolicies not as AWS"),
        ({"RoleDetailList": [role(PermissionsBoundary="arn")]}, "has PermissionsBoundary not as AWS"),
        ({"Policies": []}, "has no roles and no users, and every account has: save it without --filter"),
    ],
)
def test_what_is_not_as_aws_gives_it_is_a_flaw(answer: Mapping[str, object], flaw: str) -> None:
    found = read_account([answer], "saved.json")
    assert isinstance(found, Account)
    assert found.flaws[0].startswith(f"saved.json {flaw}")


@pytest.mark.parametrize("tree", [None, [], {}, {"Roles": []}, "text", 3])
def test_another_document_is_named(tree: object) -> None:
    why = "saved.json: this is no answer of aws iam get-account-authorization-details"
    assert read_account([tree], "saved.json") == why
