"""Whose a bucket policy is: by the bucket's name as far as it is written, and where nobody says it."""

from __future__ import annotations

import pytest

from migrate import roles
from tests.roles.source import read
from tests.roles.test_cloudformation import read as template

NAMES = [
    ('"acme-state"', "", "acme-state"),
    ("var.bucket", "", "*"),
    ('"${var.team}-state"', "", "*-state"),
    ("local.name", 'locals {\n  name = "acme-state"\n}\n', "acme-state"),
    (
        "aws_s3_bucket.state.id",
        'resource "aws_s3_bucket" "state" {\n  bucket = "acme-state"\n}\n',
        "acme-state",
    ),
    (
        "aws_s3_bucket.state.id",
        'resource "aws_s3_bucket" "state" {\n  bucket = "${var.a}-${var.b}"\n}\n',
        "*-*",
    ),
    (
        "aws_s3_bucket.state[0].bucket",
        'resource "aws_s3_bucket" "state" {\n  bucket_prefix = "st-"\n}\n',
        "st-*",
    ),
    ("aws_s3_bucket.state.id", 'resource "aws_s3_bucket" "state" {}\n', "*"),
    (
        "aws_s3_bucket.state.id",
        'resource "aws_s3_bucket" "state" {\n  bucket = aws_s3_bucket.state.id\n}\n',
        "*",
    ),
    ("aws_s3_bucket.elsewhere.id", "", "*"),
    ('each.key\n  for_each = toset(["acme-state"])', "", "acme-state"),
    ('each.value\n  for_each = { net = "acme-state" }', "", "acme-state"),
    ("[]", "", "*"),
]


@pytest.mark.parametrize(("bucket", "beside", "pattern"), NAMES)
def test_what_a_bucket_may_be_called(bucket: str, beside: str, pattern: str) -> None:
    policy = f'resource "aws_s3_bucket_policy" "state" {{\n  bucket = {bucket}\n  policy = var.policy\n}}\n'
    (found,) = roles.guards(*read(beside + policy))
    assert (str(found.bucket), found.unseen) == (pattern, "var.policy is not followed")


def test_a_policy_for_each_of_several_buckets_is_each_ones() -> None:
    policy = """
resource "aws_s3_bucket_policy" "each" {
  for_each = toset(["acme-state", "acme-logs"])
  bucket   = each.key
  policy   = var.policy
}
"""
    assert [str(one.bucket) for one in roles.guards(*read(policy))] == ["acme-state", "acme-logs"]


@pytest.mark.parametrize(
    ("bucket", "beside", "pattern"),
    [
        ("acme-state", "", "acme-state"),
        ("!Ref Name", "", "*"),
        ("!Ref State", "{BucketName: acme-state}", "acme-state"),
        ("!Ref State", '{BucketName: !Sub "${Team}-state"}', "*-state"),
        ("!Ref State", "{}", "*"),
    ],
)
def test_what_a_bucket_of_a_template_may_be_called(bucket: str, beside: str, pattern: str) -> None:
    state = f"  State:\n    Type: AWS::S3::Bucket\n    Properties: {beside}\n" if beside else ""
    (found,) = template(f"""\
Resources:
{state}  Policy:
    Type: AWS::S3::BucketPolicy
    Properties:
      Bucket: {bucket}
      PolicyDocument: !Ref Document
""").guards
    assert (str(found.bucket), found.unseen.endswith("is not followed")) == (pattern, True)


DENY = """
data "aws_iam_policy_document" "keep" {
  statement {
    effect    = "Deny"
    actions   = ["s3:DeleteObject"]
    resources = ["arn:aws:s3:::acme-state/*"]
    principals {
      type        = "*"
      identifiers = ["*"]
    }
  }
}
"""
TRUST = DENY.replace("s3:DeleteObject", "sts:AssumeRole")
NOBODYS = DENY.replace("principals", "others")


@pytest.mark.parametrize(("text", "guards"), [(DENY, 1), (TRUST, 0), (NOBODYS, 0)])
def test_what_nobody_says_whose_it_is_may_be_a_buckets(text: str, guards: int) -> None:
    _, documents = read(text + 'module "bucket" {\n  source = "acme/bucket/aws"\n}\n')
    assert [str(one.bucket) for one in roles.unplaced(documents.unused())] == ["*"] * guards


BESIDE = """
  statement {
    actions   = ["s3:PutObject"]
    resources = ["*"]
  }
}
"""


@pytest.mark.parametrize(
    ("text", "loose"),
    [
        (DENY, 0),
        (TRUST, 0),
        (NOBODYS, 1),
        (DENY.rstrip().removesuffix("}") + BESIDE, 0),
        ('data "aws_iam_policy_document" "empty" {}\n', 0),
    ],
)
def test_what_names_a_principal_is_nobodys_to_hold(text: str, loose: int) -> None:
    _, documents = read(text)
    assert len(list(roles.loose(documents.unused()))) == loose


NAMED = """
resource "aws_s3_bucket_policy" "NAME" {
  bucket = BUCKET
  policy = jsonencode({
    Statement = [{ Effect = "Deny", Principal = "*", Action = "s3:DeleteObject", Resource = "RESOURCE" }]
  })
}
"""


@pytest.mark.parametrize(
    ("name", "bucket", "resource", "may_be"),
    [
        ("logs", "var.bucket", "*", False),  # a team has many buckets, and a verdict for each is none
        ("state", "var.bucket", "*", True),
        ("logs", "var.state_bucket", "*", True),
        ("this", "aws_s3_bucket.tf_backend.id", "*", True),
        ("logs", "var.bucket", "arn:aws:s3:::acme-state/*", True),
        ("this", '"${var.team}-state"', "*", True),
        ("this", '"${var.team}-logs"', "*", False),
        ("this", '"${var.team}-${var.env}"', "*", False),
        ("this", '"a${var.team}e"', "*", True),  # a letter of the name is written, and fits
        ("this", '"b${var.team}e"', "*", False),
        ("logs", "var.bucket", "${aws_s3_bucket.state.arn}/*", True),
        ("logs", "var.bucket", "${var.state_arn}/*", True),
        ("logs", "var.bucket", "arn:aws:s3:::acme-other-state/*", False),
    ],
)
def test_an_expression_is_taken_for_a_states_bucket_where_something_written_says_so(
    name: str, bucket: str, resource: str, may_be: bool
) -> None:
    text = NAMED.replace("NAME", name).replace("BUCKET", bucket).replace("RESOURCE", resource)
    (found,) = roles.guards(*read(text))
    assert found.may_be_of("acme-state") is may_be
