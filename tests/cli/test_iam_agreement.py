"""What `iam check` calls a stuck lock, `edit --phase iam` cures or names, however code makes the policy."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.cli.estates import TABLE, Files, run
from tests.cli.test_edit import changed
from tests.repo import Repo

New = Callable[[str, Files], Repo]
Capture = pytest.CaptureFixture[str]

ROLE = 'resource "aws_iam_role" "ci" {\n  name = "ci"\n}\n\n'
HELD = 'resource "aws_iam_role_policy" "ci" {\n  role   = aws_iam_role.ci.id\n  policy = %s\n}\n\n'
OBJECT = """{
    Statement = [
      {
        Effect   = "Allow"
        Action   = %s
        Resource = "arn:aws:s3:::acme-state/*"
      },
    ]
  }"""
ACTIONS = '["s3:GetObject", "s3:PutObject"]'
DOCUMENT = """\
data "aws_iam_policy_document" "state" {
  count = 1
  statement {
    actions   = ["s3:GetObject", "s3:PutObject"]
    resources = ["arn:aws:s3:::acme-state/*"]
  }
}
"""
DIRECTIVE = """<<EOF
{
  "Statement": [
    { "Effect": "Allow", "Action": "s3:PutObject", "Resource": "arn:aws:s3:::acme-state/*" }%{ if var.deny },
    { "Effect": "Deny", "Action": "s3:DeleteObject", "Resource": "*" }%{ endif }
  ]
}
EOF"""
IN_OBJECT = '+        Action   = ["s3:DeleteObject"]'
IN_DOCUMENT = '+    actions   = ["s3:DeleteObject"]'
STUCK = "STUCK-LOCK role/ci"
LOOSE = "UNKNOWN policy/iam.tf#"


@pytest.mark.parametrize(
    ("text", "said", "added"),
    [
        (HELD % f"jsonencode({OBJECT % ACTIONS})", STUCK, IN_OBJECT),
        (HELD % "jsonencode(local.it)" + f"locals {{\n  it = {OBJECT % ACTIONS}\n}}\n", STUCK, IN_OBJECT),
        (HELD % f"jsonencode(merge({OBJECT % ACTIONS}, {{}}))", LOOSE, IN_OBJECT),
        (
            HELD % f"jsonencode({OBJECT % 'local.acts'})" + f"locals {{\n  acts = {ACTIONS}\n}}\n",
            STUCK,
            IN_OBJECT,
        ),
        (
            HELD % f'jsonencode({OBJECT % """concat(local.acts, ["s3:PutObject"])"""})'
            + 'locals {\n  acts = ["s3:GetObject"]\n}\n',
            STUCK,
            IN_OBJECT,
        ),
        (HELD % "one(data.aws_iam_policy_document.state[*].json)" + DOCUMENT, STUCK, IN_DOCUMENT),
        (HELD % 'join("", data.aws_iam_policy_document.state.*.json)' + DOCUMENT, STUCK, IN_DOCUMENT),
    ],
)  # fmt: skip
def test_a_stuck_lock_is_cured(text: str, said: str, added: str, new_repo: New, capsys: Capture) -> None:
    repo = new_repo("net", {"main.tf": TABLE, "iam.tf": ROLE + text})
    assert said in " ".join(run(capsys, "iam", "check", repo.path).out.split())
    assert added in changed(run(capsys, "edit", "--phase", "iam", repo.path).out)


def test_a_document_whose_statements_directives_choose_is_named(new_repo: New, capsys: Capture) -> None:
    repo = new_repo("net", {"main.tf": TABLE, "iam.tf": ROLE + HELD % DIRECTIVE})
    said = "net iam.tf:7: this policy is not JSON before it is filled in: directives choose what of it is"
    assert said in " ".join(run(capsys, "iam", "check", repo.path).out.split())
    assert said in run(capsys, "edit", "--phase", "iam", repo.path).err


def test_a_policy_of_a_module_from_elsewhere_is_weighed_where_nothing_else_speaks_of_iam(
    new_repo: New, capsys: Capture
) -> None:
    call = f'module "ci" {{\n  source = "acme/role/aws"\n  policy = jsonencode({OBJECT % ACTIONS})\n}}\n'
    repo = new_repo("net", {"main.tf": TABLE, "roles/ci.tf": call})
    assert "UNKNOWN policy/roles/ci.tf#module.ci.policy" in " ".join(
        run(capsys, "iam", "check", repo.path).out.split()
    )
