"""What `count` and `for_each` leave of a policy, and of who holds it."""

from __future__ import annotations

import pytest

from tests.roles.source import holders
from tests.roles.test_holders import ROLE, STATE, WAYS

MADE = [
    ("", "", "", ""),
    ("", "count = 0", None, ""),
    ("", "count = 1", "", ""),
    ("", "count = var.on ? 1 : 0", "", "a default that nobody overrides"),
    ("", "count = var.on ? 0 : 1", None, ""),
    ("", "count = var.open ? 1 : 0", "count = var.open ? 1 : 0", ""),
    ("count = var.open ? 1 : 0", "count = var.open ? 1 : 0", "", "wherever the role is, the policy is"),
    ("count = var.open ? 1 : 0", "", "", ""),
    ("count = var.open ? 1 : 0", "count = var.other", "count = var.other", ""),
    ("", "for_each = {}", None, ""),
    ("", "for_each = toset([])", None, ""),
    ("", "for_each = toset([var.open])", "", ""),
    ("", "for_each = { a = var.open }", "", ""),
    ("", "for_each = var.open", "for_each = var.open", ""),
    ("", "count = length(local.names)", "", ""),
    (
        "",
        "for_each = {\n    for n in var.open : n => n\n  }",
        "for_each = { for n in var.open : n => n }",
        "",
    ),
]


@pytest.mark.parametrize(("role", "policy", "hangs_on", "why"), MADE)
def test_a_policy_counts_as_often_as_it_is_made(
    role: str, policy: str, hangs_on: str | None, why: str
) -> None:
    text = f"""
variable "on" {{
  default = true
}}

variable "open" {{}}

locals {{
  names = ["a"]
}}

resource "aws_iam_role" "ci" {{
  name = "acme-ci"
  {role}
}}

resource "aws_iam_role_policy" "ci" {{
  {policy}
  role   = aws_iam_role.ci.id
  policy = jsonencode({{ Statement = [{{ Effect = "Allow", Action = "s3:*", Resource = "*" }}] }})
}}
"""
    found = holders(text)
    (identity,) = found["role/acme-ci"].layers
    expected = [] if hangs_on is None else [hangs_on]
    assert ([one.hangs_on for one in identity.policies], len(found)) == (expected, 1), why


SEVERAL = [
    ("", "aws_iam_role.ci[0].id", ""),
    ("count = 1", "aws_iam_role.ci[0].id", ""),
    ("count = var.open ? 1 : 0", "aws_iam_role.ci[0].id", ""),
    ("count = 2", "aws_iam_role.ci[0].id", "being aws_iam_role.ci[0]"),
    ("count = 2", "aws_iam_role.ci[1].id", "being aws_iam_role.ci[1]"),
    ('for_each = toset(["a", "b"])', 'aws_iam_role.ci["a"].id', 'being aws_iam_role.ci["a"]'),
    ('for_each = toset(["a", "b"])', "aws_iam_role.ci[each.key].id", ""),
]


@pytest.mark.parametrize(("role", "holder", "hangs_on"), SEVERAL)
def test_what_one_of_several_roles_holds_the_others_may_not(role: str, holder: str, hangs_on: str) -> None:
    made = f"\n  {role}\n" if role else "\n"
    policy = dict(WAYS)["an inline policy of its own"].replace("aws_iam_role.ci.id", holder)
    (found,) = holders(STATE + ROLE.replace("{\n", "{" + made, 1) + policy).values()
    assert [one.hangs_on for layer in found.layers for one in layer.policies] == [hangs_on]
