"""`jsonencode` and JSON in heredocs: a statement beside the one that grants the state, laid out as it is."""

import pytest

from migrate.policies import json_in_hcl
from tests.pairs import sides, source
from tests.policies.pairs import check_change, check_untouched

CHANGES = [
    (
        "jsonencode, columns, lists of both forms, a comma behind the last item",
        *sides("""\
 resource "aws_iam_policy" "ci" {
   policy = jsonencode({
     Version = "2012-10-17"
     Statement = [
       {
         Sid    = "State"
         Effect = "Allow"
         Action = ["s3:GetObject", "s3:PutObject"] # no Delete
         Resource = [
           "${aws_s3_bucket.state.arn}/net/*",
           "arn:aws:s3:::acme-state/$${aws:username}/*",
         ]
       },
       {
+        Sid    = "TerraformStateLockFile"
+        Effect = "Allow"
+        Action = ["s3:DeleteObject"]
+        Resource = [
+          "${aws_s3_bucket.state.arn}/net/*.tflock",
+          "arn:aws:s3:::acme-state/$${aws:username}/*.tflock",
+        ]
+      },
+      {
         Effect   = "Allow"
         Action   = "s3:ListBucket"
         Resource = aws_s3_bucket.state.arn
       },
     ]
   })
 }
"""),
    ),
    (
        "keys in quotes with colons, brackets that share their lines, an expression for a list",
        *sides("""\
 module "iam" {
   source = "./iam"
   policy = jsonencode({
     "Statement" : [{
       "Effect" : "Allow",
       "Action" : ["s3:GetObject", "s3:PutObject"],
       "Resource" : local.state_arns
+      }, {
+      "Sid" : "TerraformStateLockFile",
+      "Effect" : "Allow",
+      "Action" : ["s3:GetObject", "s3:PutObject", "s3:DeleteObject"],
+      "Resource" : [for arn in flatten([local.state_arns]) : "${arn}.tflock"]
     }]
   })
 }
"""),
    ),
    (
        "a single statement, under a condition",
        *sides("""\
 locals {
   policy = jsonencode({
-    Statement = {
-      Effect    = "Allow"
-      Action    = ["s3:PutObject"]
-      Resource  = "arn:aws:s3:::acme-state/*"
-      Condition = { StringEquals = { "aws:SourceVpce" = var.vpce } }
-    }
+    Statement = [
+      {
+        Effect    = "Allow"
+        Action    = ["s3:PutObject"]
+        Resource  = "arn:aws:s3:::acme-state/*"
+        Condition = { StringEquals = { "aws:SourceVpce" = var.vpce } }
+      },
+      {
+        Sid      = "TerraformStateLockFile"
+        Effect   = "Allow"
+        Action   = ["s3:GetObject", "s3:DeleteObject"]
+        Resource = "arn:aws:s3:::acme-state/*.tflock"
+        Condition = {
+          StringEquals = {
+            "aws:SourceVpce" = var.vpce
+          }
+        }
+      }
+    ]
   })
 }
"""),
    ),
    (
        "statements joined by concat",
        *sides("""\
 resource "aws_s3_bucket_policy" "state" {
   policy = jsonencode({
     Statement = concat([
       {
         Effect    = "Allow"
         Principal = { AWS = var.role_arn }
         Action    = "s3:*Object"
         Resource  = "arn:aws:s3:::acme-state/*.tfstate"
+      },
+      {
+        Sid    = "TerraformStateLockFile"
+        Effect = "Allow"
+        Principal = {
+          AWS = var.role_arn
+        }
+        Action   = ["s3:GetObject", "s3:PutObject", "s3:DeleteObject"]
+        Resource = "arn:aws:s3:::acme-state/*.tfstate.tflock"
       }
     ], local.more)
   })
 }
"""),
    ),
    (
        "JSON in a heredoc, indented, with quotes in an expression",
        *sides("""\
 resource "aws_iam_role_policy" "ci" {
   inline {
     policy = <<-EOF
       {
         "Version": "2012-10-17",
         "Statement": [
           {
             "Effect": "Allow",
             "Action": ["s3:PutObject", "s3:GetObject"],
             "Resource": "${join("", aws_s3_bucket.state.*.arn)}/$${aws:username}/*"
+          },
+          {
+            "Sid": "TerraformStateLockFile",
+            "Effect": "Allow",
+            "Action": ["s3:DeleteObject"],
+            "Resource": "${join("", aws_s3_bucket.state.*.arn)}/$${aws:username}/*.tflock"
           }
         ]
       }
     EOF
   }
 }
"""),
    ),
]


@pytest.mark.parametrize(("before", "after"), [row[1:] for row in CHANGES], ids=[row[0] for row in CHANGES])
def test_changes(before: str, after: str) -> None:
    check_change(json_in_hcl, "iam.tf", before, after)


def encoded(value: str) -> str:
    return f'resource "a" "b" {{\n  policy = jsonencode({value})\n}}\n'


LEAVES_ALONE = [
    ("granted already", encoded('{ Statement = [{ Effect = "Allow", Action = "s3:*", Resource = "*" }] }')),
    ("no policy", encoded('{ Statement = "s3:PutObject" }')),
    ("an object that is none", encoded('{ action = "s3:PutObject" }')),
    ("a comment", '# policy = jsonencode({ Statement = [{ Effect = "Allow", Action = "s3:PutObject" }] })\n'),
    ("a heredoc that is no policy", 'resource "a" "b" {\n  script = <<EOF\necho "s3:PutObject"\nEOF\n}\n'),
]


@pytest.mark.parametrize("text", [row[1] for row in LEAVES_ALONE], ids=[row[0] for row in LEAVES_ALONE])
def test_leaves_alone(text: str) -> None:
    check_untouched(json_in_hcl, "iam.tf", text)
    assert json_in_hcl.find(source("iam.tf", text)).problems == ()


def test_of_several_policies_the_one_that_grants_the_state_is_changed() -> None:
    (_, before, after) = CHANGES[0]
    other = encoded('{ Statement = [{ Effect = "Allow", Action = "s3:PutObject", Resource = "b/*" }] }')
    check_change(json_in_hcl, "iam.tf", f"{other}\n{before}", f"{other}\n{after}")


@pytest.mark.parametrize(
    ("text", "names"),
    [
        (CHANGES[0][1], ["aws_iam_policy.ci.policy"]),
        (CHANGES[1][1], ["module.iam.policy"]),
        (CHANGES[2][1], ["locals.policy"]),
        (CHANGES[4][1], ["aws_iam_role_policy.ci.inline.policy"]),
    ],
)
def test_policies_have_the_names_terraform_gives_them(text: str, names: list[str]) -> None:
    assert [one.name for one in json_in_hcl.find(source("iam.tf", text)).items] == names


def test_json_that_is_none_before_it_is_filled_in_is_a_problem() -> None:
    text = 'resource "a" "b" {\n  policy = <<EOF\n{"Statement": [\n  ${jsonencode(local.one)}\n]}\nEOF\n}\n'
    (problem,) = json_in_hcl.find(source("iam.tf", text)).problems
    assert (problem.kind, problem.where.line) == ("template", 4)
    assert problem.why == "this policy is not JSON before it is filled in: a value should stand here"


def test_what_expressions_make_is_never_taken_for_nothing() -> None:
    text = 'resource "a" "b" {\n  policy = jsonencode({ Statement = [for s in var.all : s] })\n}\n'
    (found,) = json_in_hcl.find(source("iam.tf", text)).items
    assert [flaw.why for flaw in found.policy.flaws] == ["a statement is not an object"]
