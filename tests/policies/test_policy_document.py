"""`aws_iam_policy_document`: a statement block beside the one that grants the state, its expressions kept."""

import textwrap

import pytest

from migrate.policies import policy_document
from tests.pairs import sides, source
from tests.policies.pairs import check_change, check_untouched, notes, refusal, suggestion

CHANGES = [
    (
        "exact key, an expression with a literal tail",
        *sides("""\
 data "aws_iam_policy_document" "ci" {
   statement {
     actions   = ["s3:ListBucket"]
     resources = [aws_s3_bucket.state.arn]
   }

   statement {
     actions   = ["s3:GetObject", "s3:PutObject"]
     resources = ["${aws_s3_bucket.state.arn}/net/terraform.tfstate"] # the state
   }
+
+  statement {
+    sid       = "TerraformStateLockFile"
+    actions   = ["s3:GetObject", "s3:PutObject", "s3:DeleteObject"]
+    resources = ["${aws_s3_bucket.state.arn}/net/terraform.tfstate.tflock"]
+  }
 }
"""),
    ),
    (
        "lists over lines, an effect, a name, and the bucket beside its objects",
        *sides("""\
 data "aws_iam_policy_document" "ci" {
   for_each = local.teams
   statement {
     sid    = "State"
     effect = "Allow"
     actions = [
       "s3:ListBucket",
       "s3:GetObject",
       "s3:PutObject",
     ]
     resources = [
       "arn:aws:s3:::acme-state",
       "arn:aws:s3:::acme-state/${each.key}/*",
     ]
   }
+
+  statement {
+    sid    = "TerraformStateLockFile"
+    effect = "Allow"
+    actions = [
+      "s3:DeleteObject",
+    ]
+    resources = [
+      "arn:aws:s3:::acme-state/${each.key}/*.tflock",
+    ]
+  }
   statement {
     actions   = ["dynamodb:PutItem", "dynamodb:DeleteItem"]
     resources = ["*"]
   }
 }
"""),
    ),
    (
        "conditions and principals of a bucket policy, a variable of IAM, nothing blank between statements",
        *sides("""\
 data "aws_iam_policy_document" "bucket" {
   statement {
     actions   = ["s3:ListBucket"]
     resources = ["*"]
   }
   statement {
     actions   = ["s3:GetObject", "s3:PutObject"]
     resources = ["arn:${local.partition}:s3:::acme-state/&{aws:PrincipalTag/team}/*"]

     principals {
       type        = "AWS"
       identifiers = [var.ci_role, "arn:aws:iam::111122223333:role/ops"]
     }

     condition {
       test     = "StringEquals"
       variable = "aws:PrincipalOrgID"
       values   = [var.org]
     }
   }
+  statement {
+    sid       = "TerraformStateLockFile"
+    actions   = ["s3:DeleteObject"]
+    resources = ["arn:${local.partition}:s3:::acme-state/&{aws:PrincipalTag/team}/*.tflock"]
+
+    principals {
+      type        = "AWS"
+      identifiers = [var.ci_role, "arn:aws:iam::111122223333:role/ops"]
+    }
+
+    condition {
+      test     = "StringEquals"
+      variable = "aws:PrincipalOrgID"
+      values   = [var.org]
+    }
+  }
 }
"""),
    ),
    (
        "a Deny of what is put without its encryption, which the lock is put with",
        *sides("""\
 data "aws_iam_policy_document" "bucket" {
   statement {
     actions   = ["s3:GetObject", "s3:PutObject"]
     resources = ["arn:aws:s3:::acme-state/net/terraform.tfstate"]
+  }
+
+  statement {
+    sid       = "TerraformStateLockFile"
+    actions   = ["s3:GetObject", "s3:PutObject", "s3:DeleteObject"]
+    resources = ["arn:aws:s3:::acme-state/net/terraform.tfstate.tflock"]
   }

   statement {
     effect    = "Deny"
     actions   = ["s3:PutObject"]
     resources = ["arn:aws:s3:::acme-state/*"]

     condition {
       test     = "Null"
       variable = "s3:x-amz-server-side-encryption"
       values   = ["true"]
     }
   }
 }
"""),
    ),
    (
        "a list that an expression makes",
        *sides("""\
 data "aws_iam_policy_document" "ci" {
   statement {
     actions   = ["s3:GetObject", "s3:PutObject", "dynamodb:*"]
     resources = [for key in local.keys : "arn:aws:s3:::acme-state/${key}"]
   }
+
+  statement {
+    sid       = "TerraformStateLockFile"
+    actions   = ["s3:GetObject", "s3:PutObject", "s3:DeleteObject"]
+    resources = [for arn in [for key in local.keys : "arn:aws:s3:::acme-state/${key}"] : "${arn}.tflock"]
+  }
 }
"""),
    ),
    (
        "lists joined, and actions that only some may have",
        *sides("""\
 data "aws_iam_policy_document" "ci" {
   statement {
     actions   = concat(["s3:GetObject"], var.writes ? ["s3:PutObject"] : [])
     resources = concat(["arn:aws:s3:::acme-state/net/*"], local.state_arns)
   }

   statement {
+    sid       = "TerraformStateLockFile"
+    actions   = ["s3:PutObject", "s3:DeleteObject"]
+    resources = ["arn:aws:s3:::acme-state/net/*.tflock"]
+  }
+
+  statement {
+    sid       = "TerraformStateLockFile92c504"
+    actions   = ["s3:GetObject", "s3:PutObject", "s3:DeleteObject"]
+    resources = [for arn in local.state_arns : "${arn}.tflock"]
+  }
+
+  statement {
     actions   = ["dynamodb:*"]
     resources = ["*"]
   }
 }
"""),
    ),
]


@pytest.mark.parametrize(("before", "after"), [row[1:] for row in CHANGES], ids=[row[0] for row in CHANGES])
def test_changes(before: str, after: str) -> None:
    check_change(policy_document, "iam.tf", before, after)


def document(*lines: str) -> str:
    return "\n".join(['data "aws_iam_policy_document" "x" {', *(f"  {line}" for line in lines), "}", ""])


def statement(actions: str, resource: str) -> str:
    return document("statement {", f"  actions = {actions}", f"  resources = [{resource}]", "}")


LEAVES_ALONE = [
    ("granted already", statement('["s3:*"]', '"arn:aws:s3:::acme-state/*"')),
    (
        "commented out",
        document("# statement {", '#   actions = ["s3:PutObject"]', '#   resources = ["*"]', "# }"),
    ),
    ("a bucket and no object of it", statement('["s3:*"]', "aws_s3_bucket.state.arn")),
    ("a bucket by name", statement('["s3:*", "dynamodb:*"]', '"arn:aws:s3:::${var.state}"')),
    ("a reader", statement('["s3:GetObject"]', '"arn:aws:s3:::acme-state/*"')),
    ("a bucket that may be any", statement('["s3:PutObject"]', '"${var.bucket}/*"')),
]


@pytest.mark.parametrize("text", [row[1] for row in LEAVES_ALONE], ids=[row[0] for row in LEAVES_ALONE])
def test_leaves_alone(text: str) -> None:
    check_untouched(policy_document, "iam.tf", text)


def test_a_deny_is_never_weakened() -> None:
    text = document(
        "statement {",
        '  actions = ["s3:PutObject"]',
        '  resources = ["arn:aws:s3:::acme-state/*"]',
        "}",
        "statement {",
        '  effect = "Deny"',
        '  actions = ["s3:DeleteObject"]',
        '  resources = ["arn:aws:s3:::acme-state/*"]',
        "}",
    )
    why = "it denies the lock arn:aws:s3:::acme-state/*.tflock, and a further Allow cannot help"
    assert refusal(policy_document, "iam.tf", text) == (6, why)


def test_what_was_taken_to_mean_the_state_is_told() -> None:
    text = document("statement {", '  actions = ["s3:PutObject"]', '  resources = ["${local.state}/*"]', "}")
    assert notes(policy_document, "iam.tf", text) == ["iam.tf:1: ${local.state} is taken to mean the state"]


@pytest.mark.parametrize(
    ("lines", "why"),
    [
        (['dynamic "statement" {', "  for_each = var.more", "}"], "an expression makes its statements"),
        (
            ["statement {", "  effect = var.effect", '  actions = ["s3:*"]', "}"],
            "its effect is an expression",
        ),
        (["statement {", '  resources = ["*"]', "}"], "a statement without actions"),
        (
            ["statement {", '  actions = ["s3:*"]', '  dynamic "condition" {', "  }", "}"],
            "an expression makes its condition",
        ),
        (
            ["statement {", '  actions = ["s3:*"]', "  condition {", "    variable = var.key", "  }", "}"],
            "an expression makes its condition",
        ),
        (
            ["statement {", '  actions = ["s3:*"]', '  not_actions = ["s3:Put*"]', "}"],
            "both actions and not_actions",
        ),
        (
            ["statement {", '  actions = ["s3:*"]', "  resources = []", "  not_resources = []", "}"],
            "both resources and not_resources",
        ),
    ],
)
def test_what_cannot_be_read_is_a_flaw(lines: list[str], why: str) -> None:
    (found,) = policy_document.find(source("iam.tf", document(*lines))).items
    assert [(flaw.why, flaw.where[:8]) for flaw in found.policy.flaws] == [(why, "iam.tf:2")]


@pytest.mark.parametrize(("effect", "denies"), [('"Deny"', True), ("var.effect", True), ('"Allow"', False)])
def test_statements_that_an_expression_makes_may_deny_unless_they_allow(effect: str, *, denies: bool) -> None:
    content = ["  for_each = var.more", "  content {", f"    effect = {effect}", "  }"]
    text = document('dynamic "statement" {', *content, "}")
    (flaw,) = policy_document.find(source("iam.tf", text)).items[0].policy.flaws
    assert flaw.denies is denies


def test_what_a_statement_is_not_about() -> None:
    lines = ["statement {", '  not_actions = ["iam:*"]', '  not_resources = ["*.tflock"]', "}"]
    (statement,) = policy_document.find(source("iam.tf", document(*lines))).items[0].policy.statements
    assert statement.resources
    assert (statement.actions.negated, statement.resources.negated) == (True, True)


def test_a_document_of_the_old_version_has_no_variables() -> None:
    (found,) = policy_document.find(source("iam.tf", document('version = "2008-10-17"'))).items
    assert not found.policy.has_variables


def test_documents_have_the_names_terraform_gives_them() -> None:
    text = document() + document().replace('"x"', '"y"') + 'data "aws_caller_identity" "z" {}\n'
    found = policy_document.find(source("iam.tf", text)).items
    assert [one.name for one in found] == ["data.aws_iam_policy_document.x", "data.aws_iam_policy_document.y"]


DYNAMIC = """data "aws_iam_policy_document" "ci" {
  dynamic "statement" {
    for_each = var.teams
    content {
      sid       = "State${statement.key}"
      actions   = ["s3:GetObject", "s3:PutObject"]
      resources = ["arn:aws:s3:::acme-state/${statement.value}/*"]
    }
  }
}
"""
TWIN = """dynamic "statement" {
  for_each = var.teams
  content {
    sid       = "TerraformStateLockFile"
    actions   = ["s3:DeleteObject"]
    resources = ["arn:aws:s3:::acme-state/${statement.value}/*.tflock"]
  }
}"""


def test_a_statement_that_an_expression_makes_over_and_over_has_a_twin() -> None:
    assert suggestion(policy_document, "iam.tf", DYNAMIC) == (
        2,
        "an expression makes the statements that grant the state: add this one over the same values",
        TWIN,
    )
    both = DYNAMIC.removesuffix("}\n") + textwrap.indent(TWIN, "  ") + "\n}\n"
    check_untouched(policy_document, "iam.tf", both)
    check_untouched(policy_document, "iam.tf", DYNAMIC.replace("s3:PutObject", "s3:ListBucket"))
    check_untouched(policy_document, "iam.tf", DYNAMIC.replace("acme-state/", "acme-data/"))
