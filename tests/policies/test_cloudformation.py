"""CloudFormation templates: a statement behind the one that grants the state, in its own notation."""

from __future__ import annotations

import json
from typing import Final

import pytest

from migrate.policies import cloudformation, plain_json
from tests.pairs import sides, source
from tests.policies.pairs import check_change, check_untouched, refusal, suggestion

HEAD: Final = """\
Resources:
  CiRole:
    Type: AWS::IAM::Role
    Properties:
      Policies:
        - PolicyName: state
          PolicyDocument:
            Version: "2012-10-17"
            Statement:
"""

CHANGES = [
    (
        "a substitution, lists over lines",
        *sides("""\
               - Effect: Allow
                 Action:
                   - s3:GetObject
                   - s3:PutObject
                 Resource: !Sub arn:aws:s3:::acme-state/net/terraform.tfstate
+              - Sid: TerraformStateLockFile
+                Effect: Allow
+                Action:
+                  - s3:GetObject
+                  - s3:PutObject
+                  - s3:DeleteObject
+                Resource: arn:aws:s3:::acme-state/net/terraform.tfstate.tflock
               - Effect: Allow
                 Action: dynamodb:PutItem
                 Resource: !GetAtt Locks.Arn
"""),
    ),
    (
        "lists as far out as their keys, quotes, references",
        *sides("""\
               - Sid: State
                 Effect: 'Allow'
                 Action:
                 - 's3:GetObject'
                 - 's3:PutObject'
                 Resource:
                 - !Sub '${StateBucket.Arn}/net/terraform.tfstate'
+              - Sid: 'TerraformStateLockFile'
+                Effect: 'Allow'
+                Action:
+                - 's3:GetObject'
+                - 's3:PutObject'
+                - 's3:DeleteObject'
+                Resource:
+                - !Sub '${StateBucket.Arn}/net/terraform.tfstate.tflock'
"""),
    ),
    (
        "a dash on a line of its own",
        """\
              -
                Effect: Allow
                Action: ["s3:GetObject", "s3:PutObject"]
                Resource: arn:aws:s3:::acme-state/*
""",
        """\
              -
                Effect: Allow
                Action: ["s3:GetObject", "s3:PutObject"]
                Resource: arn:aws:s3:::acme-state/*
              - Sid: TerraformStateLockFile
                Effect: Allow
                Action: [s3:DeleteObject]
                Resource: arn:aws:s3:::acme-state/*.tflock
""",
    ),
    (
        "lists on one line, a join of parts",
        """\
              - Effect: Allow
                Action: [s3:GetObject, s3:PutObject, s3:ListBucket]
                Resource: !Join ["", ["arn:aws:s3:::", !Ref StateBucket, "/net/*"]]
""",
        """\
              - Effect: Allow
                Action: [s3:GetObject, s3:PutObject, s3:ListBucket]
                Resource: !Join ["", ["arn:aws:s3:::", !Ref StateBucket, "/net/*"]]
              - Sid: TerraformStateLockFile
                Effect: Allow
                Action: [s3:DeleteObject]
                Resource: !Sub "arn:aws:s3:::${StateBucket}/net/*.tflock"
""",
    ),
    (
        "a join over lines, of what a substitution cannot name",
        *sides("""\
               - Effect: Allow
                 Action:
                   - s3:*Object
                 Resource:
                   Fn::Join:
                     - ''
                     - - !ImportValue state-bucket-arn
                       - /net/terraform.tfstate
+              - Sid: TerraformStateLockFile
+                Effect: Allow
+                Action:
+                  - s3:GetObject
+                  - s3:PutObject
+                  - s3:DeleteObject
+                Resource:
+                  - !Join ["", [!ImportValue state-bucket-arn, "/net/terraform.tfstate.tflock"]]
"""),
    ),
    (
        "functions with lists of their own, and names among them",
        *sides("""\
               - Effect: Allow
                 Action: [s3:PutObject]
                 Resource:
                   - !Join ["/", [!GetAtt StateBucket.Arn, "net/terraform.tfstate"]]
                   - !Join ["", [!GetAtt StateBucket.Arn, !If [Old, "/a", "/b"]]]
+              - Sid: TerraformStateLockFile
+                Effect: Allow
+                Action:
+                  - s3:GetObject
+                  - s3:PutObject
+                  - s3:DeleteObject
+                Resource:
+                  - !Join ["", [!Join ["/", [!GetAtt StateBucket.Arn, "net/terraform.tfstate"]], ".tflock"]]
+                  - !Join ["", [!Sub "${StateBucket.Arn}", !If [Old, "/a", "/b"], ".tflock"]]
"""),
    ),
    (
        "what a template engine or CloudFormation fills in",
        *sides("""\
               - Effect: Allow
                 Action: s3:*Object
                 Resource:
                   - "arn:aws:s3:::{{ state_bucket }}/net/terraform.tfstate"
                   - !Sub "arn:aws:s3:::{{resolve:ssm:/state/bucket}}/${Team}/*"
+              - Sid: TerraformStateLockFile
+                Effect: Allow
+                Action:
+                  - s3:GetObject
+                  - s3:PutObject
+                  - s3:DeleteObject
+                Resource:
+                  - "arn:aws:s3:::{{ state_bucket }}/net/terraform.tfstate.tflock"
"""),
    ),
    (
        "a substitution with names of its own, functions in quotes",
        *sides("""\
               - Effect: Allow
                 Action: s3:PutObject
                 Resource: !Sub ["${A}/*", {A: {"Fn::ImportValue": state-bucket-arn}}]
+              - Sid: TerraformStateLockFile
+                Effect: Allow
+                Action:
+                  - s3:GetObject
+                  - s3:DeleteObject
+                Resource: !Join ["", ["Fn::ImportValue": state-bucket-arn, "/*.tflock"]]
"""),
    ),
    (
        "one statement for each choice of a template that may leave out another",
        *sides("""\
 {% if team %}
               - Effect: Allow
                 Action: s3:*Object
                 Resource: arn:aws:s3:::acme-state/net/terraform.tfstate
+              - Sid: TerraformStateLockFile
+                Effect: Allow
+                Action:
+                  - s3:GetObject
+                  - s3:PutObject
+                  - s3:DeleteObject
+                Resource: arn:aws:s3:::acme-state/net/terraform.tfstate.tflock
 {% else %}
               - Effect: Allow
                 Action: [s3:GetObject, s3:PutObject]
                 Resource: arn:aws:s3:::acme-state/net/*
+              - Sid: TerraformStateLockFile07064a
+                Effect: Allow
+                Action: [s3:DeleteObject]
+                Resource: arn:aws:s3:::acme-state/net/*.tflock
 {% endif %}
"""),
    ),
    (
        "what IAM fills in itself, and a condition",
        *sides("""\
               - Effect: Allow
                 Action: s3:PutObject
                 Resource: !Sub "${StateBucket.Arn}/net/*"
                 Condition:
                   StringEquals:
                     aws:PrincipalTag/team: "${aws:username}"
+              - Sid: TerraformStateLockFile
+                Effect: Allow
+                Action:
+                  - s3:GetObject
+                  - s3:DeleteObject
+                Resource: !Sub "${StateBucket.Arn}/net/*.tflock"
+                Condition:
+                  StringEquals:
+                    aws:PrincipalTag/team: "${aws:username}"
"""),
    ),
]


@pytest.mark.parametrize(("what", "before", "after"), CHANGES)
def test_yaml(what: str, before: str, after: str) -> None:
    check_change(cloudformation, "ci.yaml", HEAD + before, HEAD + after)


JSON_BEFORE = """\
{
  "Resources": {
    "Ci": {
      "Type": "AWS::IAM::Policy",
      "Properties": {
        "PolicyDocument": {
          "Statement": [
            {
              "Effect": "Allow",
              "Action": ["s3:GetObject", "s3:PutObject"],
              "Resource": {"Fn::Sub": "${StateBucket.Arn}/net/terraform.tfstate"}
            }
          ]
        }
      }
    }
  }
}
"""
JSON_AFTER = JSON_BEFORE.replace(
    """\
            }
          ]
""",
    """\
            },
            {
              "Sid": "TerraformStateLockFile",
              "Effect": "Allow",
              "Action": ["s3:GetObject", "s3:PutObject", "s3:DeleteObject"],
              "Resource": [{"Fn::Sub": "${StateBucket.Arn}/net/terraform.tfstate.tflock"}]
            }
          ]
""",
)


def test_json() -> None:
    check_change(cloudformation, "ci.template", JSON_BEFORE, JSON_AFTER)
    check_change(
        cloudformation,
        "ci.json",
        JSON_BEFORE.replace(
            '"Fn::Sub": "${StateBucket.Arn}/net', '"Fn::Join": ["", [{"Fn::ImportValue": "b"}, "/net'
        ).replace('tfstate"}', 'tfstate"]]}'),
        JSON_AFTER.replace(
            '{"Fn::Sub": "${StateBucket.Arn}/net/terraform.tfstate"}',
            '{"Fn::Join": ["", [{"Fn::ImportValue": "b"}, "/net/terraform.tfstate"]]}',
        ).replace(
            '{"Fn::Sub": "${StateBucket.Arn}/net/terraform.tfstate.tflock"}',
            '{"Fn::Join": ["", [{"Fn::ImportValue": "b"}, "/net/terraform.tfstate.tflock"]]}',
        ),
    )


def test_a_template_is_no_plain_policy() -> None:
    assert plain_json.find(source("ci.json", JSON_BEFORE)).items == ()
    names = [one.name for one in cloudformation.find(source("ci.json", JSON_BEFORE)).items]
    assert names == ["Ci"]


GRANT = """\
              - Effect: Allow
                Action: s3:PutObject
                Resource: arn:aws:s3:::acme-state/net/terraform.tfstate
"""

LEFT = [
    "a: 1\n",
    HEAD,
    HEAD + GRANT.replace("acme-state", "other"),
    HEAD + GRANT.replace("s3:PutObject", "'s3:*'").replace("net/terraform.tfstate", "*"),
    HEAD.replace("AWS::IAM::Role", "Custom::Role") + GRANT,
    HEAD + "              - !If [Wide, {Effect: Allow}, !Ref AWS::NoValue]\n",
    "{{ template }}\nResources:\n  X:\n    Type: AWS::IAM::Role\n    Statement: [\n",
]


@pytest.mark.parametrize("text", LEFT)
def test_leaves_alone(text: str) -> None:
    check_untouched(cloudformation, "ci.yaml", text)


def test_a_template_that_is_no_json_is_a_problem() -> None:
    text = JSON_BEFORE.replace("{", "{,", 1)
    (problem,) = cloudformation.find(source("ci.json", text)).problems
    assert (problem.kind, problem.where.line) == ("unparsable", 1)
    assert problem.why.startswith("this template is not JSON: ")


def test_a_statement_that_is_no_item_of_a_list_is_for_people() -> None:
    alone = GRANT.replace("              - ", "                ")
    line, why, text = suggestion(cloudformation, "ci.yaml", HEAD + alone)
    assert (line, why) == (8, "its statements are not items of a list with lines of their own")
    assert "s3:DeleteObject" in text


def test_what_the_cdk_made_is_changed_in_its_program() -> None:
    _, why, text = suggestion(cloudformation, "cdk.out/Ci.template.json", JSON_BEFORE)
    assert why == "the CDK makes this file: change the program that it is made of"
    assert json.loads(text)["Action"] == ["s3:GetObject", "s3:PutObject", "s3:DeleteObject"]


def test_a_deny_is_not_weakened() -> None:
    deny = (
        GRANT.replace("Allow", "Deny")
        .replace("PutObject", "DeleteObject")
        .replace("net/terraform.tfstate", "*")
    )
    line, why = refusal(cloudformation, "ci.yaml", HEAD + GRANT + deny)
    assert (line, why.startswith("it denies the lock")) == (13, True)


LIMITS = """\
Resources:
  Guard:
    Type: {kind}
    Properties:
      {argument}:
        Version: "2012-10-17"
        Statement:
          - Effect: Allow
            Principal: "*"
            Action: [s3:GetObject, s3:PutObject]
            Resource: arn:aws:s3:::acme-state/*
  CiRole:
    Type: AWS::IAM::Role
    Properties:
      PermissionsBoundary: {bound}
"""


@pytest.mark.parametrize(
    ("kind", "argument", "bound"),
    [
        ("AWS::Organizations::Policy", "Content", "arn:aws:iam::111122223333:policy/bound"),
        ("AWS::EC2::VPCEndpoint", "PolicyDocument", "arn:aws:iam::111122223333:policy/bound"),
        ("AWS::IAM::ManagedPolicy", "PolicyDocument", "!Ref Guard"),
        ("AWS::IAM::ManagedPolicy", "PolicyDocument", "!GetAtt Guard.Arn"),
    ],
)
def test_what_limits_others_is_told_and_never_edited(kind: str, argument: str, bound: str) -> None:
    text = LIMITS.format(kind=kind, argument=argument, bound=bound)
    _, why, told = suggestion(cloudformation, "guard.yaml", text)
    assert why.endswith(": its owner adds the statement")
    assert "Resource: arn:aws:s3:::acme-state/*.tflock" in told
