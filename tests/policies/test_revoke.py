"""Lock tables taken out of policies as they are written: the rest stays as it was, to the byte."""

from __future__ import annotations

import pytest

from migrate.iam.revoke import Revoke
from migrate.model import Refusal
from migrate.policies import PolicyPlug, cloudformation, json_in_hcl, plain_json, policy_document
from tests.pairs import edited, source
from tests.policies.pairs import check_change

WISH = Revoke()
TABLE = "arn:aws:dynamodb:eu-west-1:111122223333:table/acme-locks"

BLOCKS = """\
data "aws_iam_policy_document" "ci" {
  statement {
    actions   = ["s3:GetObject", "s3:PutObject"]
    resources = ["${aws_s3_bucket.state.arn}/*"]
  }

  statement {
    sid       = "Locks"
    actions   = ["dynamodb:GetItem", "dynamodb:PutItem", "dynamodb:DeleteItem"]
    resources = [aws_dynamodb_table.locks.arn]
  }

  statement {
    actions   = ["ec2:*"]
    resources = ["*"]
  }
}
"""
MIXED = """\
resource "aws_iam_role_policy" "ci" {
  role = aws_iam_role.ci.id
  policy = jsonencode({
    Version = "2012-10-17"
    Statement = [
      {
        Effect = "Allow"
        Action = [
          "s3:GetObject",
          "s3:PutObject",
          "dynamodb:GetItem",
          "dynamodb:PutItem", # the lock
          "dynamodb:DeleteItem",
        ]
        Resource = [
          "${aws_s3_bucket.state.arn}/*",
          aws_dynamodb_table.terraform_locks.arn,
        ]
      },
    ]
  })
}
"""
JSON = f"""\
{{
  "Version": "2012-10-17",
  "Statement": [
    {{
      "Effect": "Allow",
      "Action": ["s3:GetObject", "dynamodb:PutItem", "dynamodb:DeleteItem"],
      "Resource": ["arn:aws:s3:::acme-state/*", "{TABLE}"]
    }},
    {{
      "Effect": "Allow",
      "Action": "dynamodb:*",
      "Resource": "{TABLE}"
    }}
  ]
}}
"""
YAML = """\
Resources:
  Ci:
    Type: AWS::IAM::ManagedPolicy
    Properties:
      PolicyDocument:
        Version: "2012-10-17"
        Statement:
          - Effect: Allow
            Action:
              - s3:PutObject
              - dynamodb:PutItem
              - dynamodb:DeleteItem
            Resource:
              - arn:aws:s3:::acme-state/*
              - !Sub arn:aws:dynamodb:*:${AWS::AccountId}:table/acme-locks
          - Effect: Allow
            Action: dynamodb:*Item
            Resource: arn:aws:dynamodb:*:*:table/acme-locks
"""

YAML_LOCK = """\
            Action: dynamodb:*Item
            Resource: arn:aws:dynamodb:*:*:table/acme-locks
"""
YAML_MIXED = """\
            Action: [s3:GetObject, dynamodb:PutItem]
            Resource: ["arn:aws:s3:::acme/*", "arn:aws:dynamodb:*:*:table/acme-locks"]
"""

CHANGES: list[tuple[PolicyPlug, str, str, str]] = [
    (
        policy_document,
        "iam.tf",
        BLOCKS,
        BLOCKS.replace(
            """
  statement {
    sid       = "Locks"
    actions   = ["dynamodb:GetItem", "dynamodb:PutItem", "dynamodb:DeleteItem"]
    resources = [aws_dynamodb_table.locks.arn]
  }
""",
            "",
        ),
    ),
    (
        json_in_hcl,
        "iam.tf",
        MIXED,
        MIXED.replace(
            """\
          "dynamodb:GetItem",
          "dynamodb:PutItem", # the lock
          "dynamodb:DeleteItem",
""",
            "",
        ).replace("          aws_dynamodb_table.terraform_locks.arn,\n", ""),
    ),
    (
        plain_json,
        "policy.json",
        JSON,
        """\
{
  "Version": "2012-10-17",
  "Statement": [
    {
      "Effect": "Allow",
      "Action": ["s3:GetObject"],
      "Resource": ["arn:aws:s3:::acme-state/*"]
    }
  ]
}
""",
    ),
    (
        cloudformation,
        "iam.yaml",
        YAML,
        """\
Resources:
  Ci:
    Type: AWS::IAM::ManagedPolicy
    Properties:
      PolicyDocument:
        Version: "2012-10-17"
        Statement:
          - Effect: Allow
            Action:
              - s3:PutObject
            Resource:
              - arn:aws:s3:::acme-state/*
""",
    ),
]


@pytest.mark.parametrize(("plug", "path", "before", "after"), CHANGES, ids=[one[1] for one in CHANGES])
def test_the_table_goes_and_the_rest_stays(plug: PolicyPlug, path: str, before: str, after: str) -> None:
    check_change(plug, path, before, after, WISH)


def heredoc(statements: str) -> str:
    body = f'{{"Version": "2012-10-17", "Statement": [{statements}]}}'
    return f'resource "aws_iam_policy" "ci" {{\n  policy = <<EOF\n{body}\nEOF\n}}\n'


def test_in_a_heredoc_with_expressions() -> None:
    state = '{"Effect": "Allow", "Action": "s3:*", "Resource": "${aws_s3_bucket.state.arn}/*"}'
    lock = '{"Effect": "Allow", "Action": "dynamodb:*", "Resource": "${aws_dynamodb_table.locks.arn}"}'
    check_change(json_in_hcl, "iam.tf", heredoc(f"{state}, {lock}"), heredoc(state), WISH)


@pytest.mark.parametrize(
    ("plug", "path", "text", "line", "why"),
    [
        (
            cloudformation,
            "iam.yaml",
            YAML.replace(YAML_LOCK, YAML_MIXED),
            16,
            "the lock table stands there in a form that is not taken apart",
        ),
        (
            policy_document,
            "iam.tf",
            BLOCKS.replace("[aws_dynamodb_table.locks.arn]", "aws_dynamodb_table.locks[*].arn"),
            7,
            "${aws_dynamodb_table.locks[*].arn} makes several resources, which may not all be lock tables",
        ),
        (
            policy_document,
            "iam.tf",
            BLOCKS.replace('"dynamodb:GetItem"', '"dynamodb:Scan"'),
            7,
            "it allows dynamodb:Scan as well: more than a lock needs",
        ),
    ],
)
def test_what_is_left_to_people(plug: PolicyPlug, path: str, text: str, line: int, why: str) -> None:
    answer = edited(plug, source(path, text), WISH)
    assert isinstance(answer, Refusal)
    assert (answer.where.line, answer.why) == (line, why)
