"""What is taken from a holder, or changed, beside the resource that gives it: it is not certainly held."""

from __future__ import annotations

import pytest

from tests.roles.source import held, holders

ALLOW = 'jsonencode({ Statement = [{ Sid = "State", Effect = "Allow", Action = "s3:*", Resource = "*" }] })'
INLINE = f"""
resource "aws_iam_role" "ci" {{
  name = "acme-ci"
}}

resource "aws_iam_role_policy" "state" {{
  name   = "state"
  role   = aws_iam_role.ci.id
  policy = {ALLOW}
}}
"""
MANAGED = f"""
resource "aws_iam_role" "ci" {{
  name = "acme-ci"
}}

resource "aws_iam_policy" "state" {{
  policy = {ALLOW}
}}

resource "aws_iam_role_policy_attachment" "state" {{
  role       = aws_iam_role.ci.name
  policy_arn = aws_iam_policy.state.arn
}}
"""
NONE = "aws_iam_role_policies_exclusive.ci, which does not list aws_iam_role_policy.state.name"
NO_ARN = "aws_iam_role_policy_attachments_exclusive.ci, which does not list aws_iam_policy.state.arn"


def hanging(text: str) -> list[str]:
    (identity,) = holders(text)["role/acme-ci"].layers
    return [policy.hangs_on for policy in identity.policies]


@pytest.mark.parametrize(
    ("names", "hangs_on"),
    [
        ("[aws_iam_role_policy.state.name]", ""),
        ('["state"]', ""),
        ('["other", "state"]', ""),
        ("[]", NONE),
        ('["other"]', NONE),
        ("var.names", NONE),
    ],
)
def test_inline_policies_that_a_list_leaves_out_are_taken_away(names: str, hangs_on: str) -> None:
    only = f"role_name = aws_iam_role.ci.name\n  policy_names = {names}"
    assert hanging(f'{INLINE}\nresource "aws_iam_role_policies_exclusive" "ci" {{\n  {only}\n}}\n') == [
        hangs_on
    ]


@pytest.mark.parametrize(
    ("arns", "hangs_on"),
    [
        ("[aws_iam_policy.state.arn]", ["", ""]),
        ("[]", [NO_ARN]),
        ('["arn:aws:iam::aws:policy/AmazonS3FullAccess"]', ["", NO_ARN]),
    ],
)
def test_a_list_of_managed_policies_attaches_what_it_names_and_no_more(
    arns: str, hangs_on: list[str]
) -> None:
    only = f"role_name = aws_iam_role.ci.name\n  policy_arns = {arns}"
    text = f'{MANAGED}\nresource "aws_iam_role_policy_attachments_exclusive" "ci" {{\n  {only}\n}}\n'
    assert hanging(text) == hangs_on


def test_a_list_of_another_roles_policies_leaves_this_ones_alone() -> None:
    other = 'role_name = "acme-app"\n  policy_names = []'
    assert hanging(f'{INLINE}\nresource "aws_iam_role_policies_exclusive" "app" {{\n  {other}\n}}\n') == [""]


IGNORED = [
    (INLINE, "[policy]", "and aws_iam_role_policy.state.policy under ignore_changes is not followed"),
    (INLINE, "all", "and aws_iam_role_policy.state.policy under ignore_changes is not followed"),
    (INLINE, "[name]", "State: *"),
    (MANAGED, "[policy]", "and aws_iam_policy.state.policy under ignore_changes is not followed"),
    (MANAGED, "[assume_role_policy]", "State: *"),
]


@pytest.mark.parametrize(("text", "ignored", "said"), IGNORED)
def test_a_policy_that_others_may_change_is_not_the_one_that_is_written(
    text: str, ignored: str, said: str
) -> None:
    lifecycle = f"  policy = {ALLOW}\n  lifecycle {{\n    ignore_changes = {ignored}\n  }}\n"
    changed = text.replace(f"  policy = {ALLOW}\n", lifecycle).replace(f"  policy   = {ALLOW}\n", lifecycle)
    assert held(holders(changed)["role/acme-ci"]) == [said]


def test_a_boundary_that_others_may_set_is_not_known() -> None:
    text = INLINE.replace(
        'name = "acme-ci"\n',
        'name = "acme-ci"\n  lifecycle {\n    ignore_changes = [permissions_boundary]\n  }\n',
    )
    (_, boundary) = holders(text)["role/acme-ci"].layers
    assert boundary.unseen == "aws_iam_role.ci.permissions_boundary under ignore_changes is not followed"
