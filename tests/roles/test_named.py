"""Whom `role` means: one that the module makes, one from elsewhere, or any of those it speaks of."""

from __future__ import annotations

import pytest

from tests.roles.source import holders

ROLES = """
locals {
  ci    = aws_iam_role.ci.name
  names = { a = local.ci }
}

resource "aws_iam_role" "ci" {
  name = "acme-ci"
}

resource "aws_iam_role" "app" {
  name = "acme-app"
}
"""
WHOM = [
    ("role = aws_iam_role.ci.id", {"acme-ci": ""}),
    ("role = local.ci", {"acme-ci": ""}),
    ('role = "acme-ci"', {"acme-ci": ""}),
    ('role = "${aws_iam_role.ci.name}"', {"acme-ci": ""}),
    ("role = each.value\n  for_each = toset([aws_iam_role.ci.name])", {"acme-ci": ""}),
    ("role = each.key\n  for_each = toset([aws_iam_role.ci.name])", {"acme-ci": ""}),
    ("role = each.value\n  for_each = { a = aws_iam_role.ci.name }", {"acme-ci": ""}),
    (
        "role = each.value\n  for_each = toset([aws_iam_role.ci.name, aws_iam_role.app.name])",
        {"acme-ci": "", "acme-app": ""},
    ),
    (
        "role = coalesce(var.role, aws_iam_role.ci.name)",
        {"acme-ci": "coalesce(var.role, aws_iam_role.ci.name) being acme-ci"},
    ),
    (
        "role = var.app ? aws_iam_role.app.id : aws_iam_role.ci.id",
        {
            "acme-ci": "var.app ? aws_iam_role.app.id : aws_iam_role.ci.id being acme-ci",
            "acme-app": "var.app ? aws_iam_role.app.id : aws_iam_role.ci.id being acme-app",
        },
    ),
    ("role = element(values(local.names), 0)", {"acme-ci": "element(values(local.names), 0) being acme-ci"}),
    (
        "role = each.value.name\n  for_each = aws_iam_role.ci",
        {"acme-ci": "each.value.name in aws_iam_role_policy.p being acme-ci, and for_each = aws_iam_role.ci"},
    ),
    (
        "role = coalesce(var.role, aws_iam_role.ci.name)\n  count = var.on ? 1 : 0",
        {
            "acme-ci": "coalesce(var.role, aws_iam_role.ci.name) being acme-ci, and count = var.on ? 1 : 0",
        },
    ),
    ("role = var.role", {"var.role": ""}),
    ("role = module.iam.role", {"module.iam.role": ""}),
]


@pytest.mark.parametrize(("role", "held"), WHOM)
def test_whom_a_role_means_and_what_that_hangs_on(role: str, held: dict[str, str]) -> None:
    policy = 'jsonencode({ Statement = [{ Effect = "Allow", Action = "s3:*", Resource = "*" }] })'
    text = f'{ROLES}\nresource "aws_iam_role_policy" "p" {{\n  {role}\n  policy = {policy}\n}}\n'
    found = {one.name: [p.hangs_on for p in one.layers[0].policies] for one in holders(text).values()}
    assert {name: [*hangs_on] for name, hangs_on in found.items() if hangs_on} == {
        name: [hangs_on] for name, hangs_on in held.items()
    }


@pytest.mark.parametrize(
    ("given", "hidden"),
    [
        ("role = aws_iam_role.ci.name", "module.guard, which is given its name, is not followed"),
        ("roles = [aws_iam_role.ci[0].id]", "module.guard, which is given its name, is not followed"),
        ("principal = aws_iam_role.ci.arn", ""),
        ("role = aws_iam_role.ci_two.name", ""),
    ],
)
def test_a_module_may_attach_more_to_whom_it_is_given(given: str, hidden: str) -> None:
    text = f'{ROLES}\nmodule "guard" {{\n  source = "./guard"\n  {given}\n}}\n'
    found = {one.name: one.layers[0].unseen for one in holders(text).values()}
    assert found == {"acme-ci": hidden, "acme-app": ""}


def test_what_a_group_may_hold_its_users_may_hold() -> None:
    text = """
resource "aws_iam_user" "ada" {
  name = "ada"
}

resource "aws_iam_group" "team" {
  name = "team"
}

resource "aws_iam_group_policy" "state" {
  count  = var.granted
  group  = aws_iam_group.team.name
  policy = jsonencode({ Statement = [{ Effect = "Allow", Action = "s3:*", Resource = "*" }] })
}

resource "aws_iam_user_group_membership" "ada" {
  count  = var.member
  user   = aws_iam_user.ada.name
  groups = [aws_iam_group.team.name]
}
"""
    ((policy,),) = [one.layers[0].policies for one in holders(text).values() if one.kind == "user"]
    assert policy.hangs_on == "count = var.granted, and count = var.member"
