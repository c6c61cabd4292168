"""Who holds what in a template of CloudFormation."""

from __future__ import annotations

from pathlib import PurePosixPath

import pytest

from migrate.model import Source
from migrate.policies import cloudformation as policies
from migrate.roles import cloudformation
from tests.roles.source import REPO, held

TEMPLATE = """\
Resources:
  StateBucket:
    Type: AWS::S3::Bucket
    Properties:
      BucketName: acme-state
  Ci:
    Type: AWS::IAM::Role
    Properties:
      RoleName: acme-ci
      ManagedPolicyArns:
        - !Sub arn:${AWS::Partition}:iam::aws:policy/AmazonS3FullAccess
        - !Ref Shared
        - arn:aws:iam::aws:policy/job-function/NetworkAdministrator
      Policies:
        - PolicyName: state
          PolicyDocument:
            Statement:
              - Sid: State
                Effect: Allow
                Action: s3:PutObject
                Resource: !Sub ${StateBucket.Arn}/*
  Shared:
    Type: AWS::IAM::ManagedPolicy
    Properties:
      PolicyDocument:
        Statement:
          - Sid: Shared
            Effect: Allow
            Action: s3:GetObject
            Resource: !Sub arn:aws:s3:::${StateBucket}/${Team}/*
  Plan:
    Type: AWS::IAM::Role
    Properties: {}
  PlanPolicy:
    Type: AWS::IAM::Policy
    Properties:
      Roles: [!Ref Plan, !ImportValue other]
      PolicyDocument:
        Statement:
          - Sid: Plan
            Effect: Allow
            Action: s3:GetObject
            Resource: ["*", !Select [0, !Ref Keys]]
"""
LOOSE = "and who holds it, and what else they hold, does not stand beside it"


def read(template: str) -> cloudformation.Template:
    source = Source(REPO, PurePosixPath("ci.yaml"), template)
    return cloudformation.read(source, policies.find(source).items)


def held_in(template: str) -> dict[str, list[str]]:
    return {str(one): held(one) for one in read(template).holders}


def test_who_holds_what() -> None:
    assert held_in(TEMPLATE) == {
        "role/acme-ci": [
            "State: arn:aws:s3:::acme-state/*",
            "Allow: *",
            "Shared: arn:aws:s3:::acme-state/${Team}/*",
            "and arn:aws:iam::aws:policy/job-function/NetworkAdministrator is not followed",
        ],
        "role/Plan": ["Plan: * !Select [0, !Ref Keys]"],
        "policy/ci.yaml#PlanPolicy": ["Plan: * !Select [0, !Ref Keys]", LOOSE],
    }


def test_what_a_function_makes_is_not_taken_for_nothing() -> None:
    found = held_in("""\
Resources:
  Wide:
    Type: AWS::IAM::Role
    Properties:
      Policies:
        - !If [Prod, {PolicyName: a, PolicyDocument: {Statement: {Effect: Deny, Action: s3}}}, !Ref None]
        - PolicyName: open
          PolicyDocument:
            Statement: !If [Prod, {Effect: Deny, Action: s3}, []]
""")
    assert found == {
        "role/Wide": ["and the policy at ci.yaml:6 is not followed; the policy at ci.yaml:9 is not followed"]
    }


GROUPS = """\
Resources:
  Team:
    Type: AWS::IAM::Group
    Properties:
      Policies:
        - PolicyName: state
          PolicyDocument: {Statement: {Sid: Team, Effect: Allow, Action: "s3:*", Resource: "*"}}
  Shared:
    Type: AWS::IAM::ManagedPolicy
    Properties:
      Groups: [!Ref Team]
      PolicyDocument: {Statement: {Sid: Shared, Effect: Allow, Action: "s3:*", Resource: "*"}}
  Ada:
    Type: AWS::IAM::User
    Properties:
      Groups: [!Ref Team, others]
  Bob:
    Type: AWS::IAM::User
    Properties: {}
  Members:
    Type: AWS::IAM::UserToGroupAddition
    Properties:
      GroupName: !Ref Team
      Users: [!Ref Bob]
"""


def test_what_groups_hold_their_users_hold() -> None:
    assert held_in(GROUPS) == {
        "group/Team": ["Team: *", "Shared: *"],
        "user/Ada": ["Team: *", "Shared: *", "and group others is not followed"],
        "user/Bob": ["Team: *", "Shared: *"],
    }


@pytest.mark.parametrize(
    ("boundary", "layers"),
    [
        ("", [("identity policies", "")]),
        ("PermissionsBoundary: !Ref Bound", [("identity policies", ""), ("permissions boundary", "")]),
        (
            "PermissionsBoundary: !ImportValue bound",
            [("identity policies", ""), ("permissions boundary", "!ImportValue bound is not followed")],
        ),
    ],
)
def test_a_boundary_is_a_layer_of_its_own(boundary: str, layers: list[tuple[str, str]]) -> None:
    (ci, *_) = read(f"""\
Resources:
  Ci:
    Type: AWS::IAM::Role
    Properties:
      RoleName: acme-ci
      {boundary}
  Bound:
    Type: AWS::IAM::ManagedPolicy
    Properties:
      PolicyDocument: {{Statement: {{Effect: Allow, Action: "s3:*", Resource: "*"}}}}
""").holders
    assert [(layer.kind.value, layer.unseen) for layer in ci.layers] == layers


NAMED = [
    ("[!Ref Ci]", [""]),
    ("[acme-ci]", [""]),
    ("[!If [Prod, !Ref Ci, !Ref Other]]", ["whoever is meant at ci.yaml:9"]),
    ("!If [Prod, [!Ref Ci], []]", ["whoever is meant at ci.yaml:9"]),
    ("[!ImportValue other]", []),
    ("[Ci]", []),
]


@pytest.mark.parametrize(("roles", "hangs_on"), NAMED)
def test_whom_a_list_of_roles_means(roles: str, hangs_on: list[str]) -> None:
    template = f"""\
Resources:
  Ci:
    Type: AWS::IAM::Role
    Properties:
      RoleName: acme-ci
  Shared:
    Type: AWS::IAM::ManagedPolicy
    Properties:
      Roles: {roles}
      PolicyDocument: {{Statement: {{Effect: Deny, Action: "s3:*", Resource: "*"}}}}
"""
    (ci, *others) = read(template).holders
    assert [policy.hangs_on for policy in ci.layers[0].policies] == hangs_on
    assert bool(others) == (hangs_on != [""])


CONDITIONAL = """\
Resources:
  Ci:
    Type: AWS::IAM::Role{role}
    Properties: {{}}
  State:
    Type: AWS::IAM::Policy{policy}
    Properties:
      Roles: [!Ref Ci]
      PolicyDocument: {{Statement: {{Effect: Allow, Action: "s3:*", Resource: "*"}}}}
"""
PROD = "\n    Condition: Prod"


@pytest.mark.parametrize(
    ("role", "policy", "hangs_on"),
    [("", "", ""), (PROD, PROD, ""), (PROD, "", ""), ("", PROD, "Condition Prod")],
)
def test_a_policy_that_is_made_under_a_condition_hangs_on_it(role: str, policy: str, hangs_on: str) -> None:
    (found,) = read(CONDITIONAL.format(role=role, policy=policy)).holders
    assert [one.hangs_on for layer in found.layers for one in layer.policies] == [hangs_on]


def test_a_resource_of_nothing_is_nothing() -> None:
    empty = CONDITIONAL.format(role="", policy="").replace('Resource: "*"', 'Resource: !Sub ""')
    assert held_in(empty) == {"role/Ci": ["Allow: "]}
