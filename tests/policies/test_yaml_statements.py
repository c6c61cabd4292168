"""Statements in YAML of other programs: the exact statement in that file's style, never an edit."""

from __future__ import annotations

import pytest

from migrate.policies import yaml_statements
from tests.pairs import source
from tests.policies.pairs import check_untouched, suggestion

WHY = "another program makes this policy: add the statement behind the one that grants the state"

SERVERLESS = """\
provider:
  iam:
    role:
      statements:
        - Effect: Allow
          Action: [s3:GetObject, s3:PutObject]
          Resource: arn:aws:s3:::acme-state/*
"""
PLAYBOOK = """\
- name: the pipeline's rights
  amazon.aws.iam_managed_policy:
    policy:
      Statement:
        - Effect: Allow
          Action:
            - s3:GetObject
            - s3:PutObject
            - s3:DeleteObject
          Resource: arn:aws:s3:::acme-state/net/terraform.tfstate
"""


def test_a_list_of_statements() -> None:
    assert suggestion(yaml_statements, "serverless.yml", SERVERLESS) == (
        5,
        WHY,
        """\
- Sid: TerraformStateLockFile
  Effect: Allow
  Action: [s3:DeleteObject]
  Resource: arn:aws:s3:::acme-state/*.tflock""",
    )


def test_a_policy_in_a_playbook() -> None:
    assert suggestion(yaml_statements, "site.yml", PLAYBOOK) == (
        5,
        WHY,
        """\
- Sid: TerraformStateLockFile
  Effect: Allow
  Action:
    - s3:GetObject
    - s3:PutObject
    - s3:DeleteObject
  Resource: arn:aws:s3:::acme-state/net/terraform.tfstate.tflock""",
    )


MANIFEST = """\
kind: Policy
spec:
  forProvider:
    policy: |
      {
        "Version": "2012-10-17",
        "Statement": [
          {
            "Effect": "Allow",
            "Action": ["s3:GetObject", "s3:PutObject"],
            "Resource": "arn:aws:s3:::{{ .Values.state_bucket }}/net/terraform.tfstate"
          }
        ]
      }
"""
ONE_LINE = (
    '{"Statement": [{"Effect": "Allow", "Action": "s3:PutObject", "Resource": "arn:aws:s3:::acme-state/*"}]}'
)


def test_json_in_a_block_of_text() -> None:
    assert suggestion(yaml_statements, "policy.yaml", MANIFEST) == (
        5,
        WHY,
        """\
{
  "Sid": "TerraformStateLockFile",
  "Effect": "Allow",
  "Action": ["s3:GetObject", "s3:PutObject", "s3:DeleteObject"],
  "Resource": "arn:aws:s3:::{{ .Values.state_bucket }}/net/terraform.tfstate.tflock"
}""",
    )


def test_json_in_quotes() -> None:
    (line, why, told) = suggestion(yaml_statements, "map.yaml", f"data:\n  policy.json: '{ONE_LINE}'\n")
    assert (line, why) == (2, WHY)
    assert '"Resource": "arn:aws:s3:::acme-state/*.tflock"' in told


def test_json_with_escapes_is_named_and_not_read() -> None:
    escaped = '"' + ONE_LINE.replace('"', '\\"') + '"'
    found = yaml_statements.find(source("map.yaml", f"data:\n  policy.json: {escaped}\n"))
    (problem,) = found.problems
    assert (found.items, problem.kind, problem.where.line) == ((), "template", 2)
    assert problem.why.startswith("this text is not JSON as it stands: ")


@pytest.mark.parametrize(
    "text",
    [
        SERVERLESS.replace("acme-state", "acme-data"),
        SERVERLESS.replace("s3:PutObject", "s3:ListBucket"),
        SERVERLESS.replace("[s3:GetObject, s3:PutObject]", "s3:*"),
        "Resources:\n  Ci:\n    Type: AWS::IAM::Role\n" + SERVERLESS,  # a template is read as such
        "- s3:PutObject\n- Effect\n",
        "Effect: Allow\nAction: s3:PutObject\n",
    ],
)
def test_what_grants_no_state_or_its_lock_too_is_left_alone(text: str) -> None:
    check_untouched(yaml_statements, "serverless.yml", text)
