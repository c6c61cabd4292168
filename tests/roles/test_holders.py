"""Who holds what: each way in which Terraform gives a policy to somebody, and what nobody can follow."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from migrate.iam.layers import Kind
from migrate.roles import Documents
from tests.roles.source import held, holders, read

STATE = """
data "aws_iam_policy_document" "state" {
  statement {
    sid       = "State"
    actions   = ["s3:PutObject"]
    resources = ["arn:aws:s3:::acme-state/*"]
  }
}
"""
ROLE = """
resource "aws_iam_role" "ci" {
  name = "acme-ci"
}
"""
POLICY = """
resource "aws_iam_policy" "state" {
  policy = data.aws_iam_policy_document.state.json
}
"""
GRANTS = ["State: arn:aws:s3:::acme-state/*"]

WAYS = [
    (
        "an inline policy of its own",
        """
resource "aws_iam_role_policy" "ci" {
  role   = aws_iam_role.ci.id
  policy = data.aws_iam_policy_document.state.json
}
""",
    ),
    (
        "jsonencode in place, the role by its name",
        """
resource "aws_iam_role_policy" "ci" {
  role = "acme-ci"
  policy = jsonencode({
    Statement = [{
      Sid      = "State"
      Effect   = "Allow"
      Action   = "s3:PutObject"
      Resource = "arn:aws:s3:::acme-state/*"
    }]
  })
}
""",
    ),
    (
        "a managed policy and its attachment",
        """
resource "aws_iam_role_policy_attachment" "ci" {
  role       = aws_iam_role.ci.name
  policy_arn = aws_iam_policy.state.arn
}
""",
    ),
    (
        "an attachment for each of several",
        """
resource "aws_iam_role_policy_attachment" "ci" {
  for_each   = toset([aws_iam_policy.state.arn])
  role       = aws_iam_role.ci[0].name
  policy_arn = each.value
}
""",
    ),
    (
        "one attachment to several holders",
        """
resource "aws_iam_policy_attachment" "state" {
  name       = "state"
  roles      = [aws_iam_role.ci.name]
  policy_arn = aws_iam_policy.state.arn
}
""",
    ),
    (
        "a local that is the policy",
        """
locals {
  state = data.aws_iam_policy_document.state.json
}

resource "aws_iam_role_policy" "ci" {
  role   = aws_iam_role.ci.id
  policy = local.state
}
""",
    ),
]


@pytest.mark.parametrize(("way", "text"), WAYS)
def test_a_role_holds_what_is_given_to_it(way: str, text: str) -> None:
    assert held(holders(STATE + ROLE + POLICY + text)["role/acme-ci"]) == GRANTS


def test_a_role_with_policies_in_its_own_block() -> None:
    found = holders(
        STATE
        + POLICY
        + """
resource "aws_iam_role" "ci" {
  name                 = "acme-ci"
  managed_policy_arns  = [aws_iam_policy.state.arn, "arn:aws:iam::aws:policy/AmazonS3FullAccess"]
  permissions_boundary = "arn:aws:iam::aws:policy/PowerUserAccess"

  inline_policy {
    name   = "state"
    policy = data.aws_iam_policy_document.state.json
  }
}
"""
    )["role/acme-ci"]
    assert held(found) == [*GRANTS, *GRANTS, "Allow: *"]
    assert [layer.kind for layer in found.layers] == [Kind.IDENTITY, Kind.BOUNDARY]


@pytest.mark.parametrize(
    ("boundary", "unseen"),
    [
        ("null", []),
        ('""', []),
        ("var.nothing", []),
        ("var.boundary", ["var.boundary is not followed"]),
    ],
)
def test_a_boundary_that_is_set_to_nothing_is_none(boundary: str, unseen: list[str]) -> None:
    text = f"""
variable "nothing" {{
  default = null
}}

resource "aws_iam_role" "ci" {{
  name                 = "acme-ci"
  permissions_boundary = {boundary}
}}
"""
    (_, *limits) = holders(text)["role/acme-ci"].layers
    assert [layer.unseen for layer in limits] == unseen


MEMBERS = [
    (
        "aws_iam_user_group_membership",
        "user   = aws_iam_user.ada.name\n  groups = [aws_iam_group.platform.name]",
    ),
    (
        "aws_iam_group_membership",
        "users = [aws_iam_user.ada.name]\n  group = aws_iam_group.platform.name",
    ),
]


@pytest.mark.parametrize(("type_", "members"), MEMBERS)
def test_what_groups_hold_their_users_hold(type_: str, members: str) -> None:
    found = holders(
        STATE
        + f'resource "{type_}" "ada" {{\n  {members}\n}}\n'
        + """
resource "aws_iam_user" "ada" {
  name = "ada"
}

resource "aws_iam_group" "platform" {
  name = "platform"
}

resource "aws_iam_group_policy" "state" {
  group  = aws_iam_group.platform.name
  policy = data.aws_iam_policy_document.state.json
}

"""
    )
    assert {name: held(one) for name, one in found.items()} == {
        "user/ada": GRANTS,
        "group/platform": GRANTS,
    }


CHOICE = "and var.wide ? local.wide : local.least is not followed"
NOT_FOLLOWED = [
    ("a variable", "policy = var.policy", "and var.policy is not followed"),
    (
        "a document of elsewhere",
        "policy = data.aws_iam_policy_document.other.json",
        "and data.aws_iam_policy_document.other is not followed",
    ),
    ("another module", "policy = module.iam.policy_json", "and module.iam.policy_json is not followed"),
    (
        "an object that stands elsewhere",
        "policy = jsonencode(local.policy)",
        "and jsonencode(local.policy) is not followed",
    ),
    ("a choice", "policy = var.wide ? local.wide : local.least", CHOICE),
]


@pytest.mark.parametrize(("what", "policy", "said"), NOT_FOLLOWED)
def test_what_cannot_be_followed_is_said(what: str, policy: str, said: str) -> None:
    text = f'{ROLE}\nresource "aws_iam_role_policy" "ci" {{\n  role   = aws_iam_role.ci.id\n  {policy}\n}}\n'
    assert held(holders(text)["role/acme-ci"]) == [said]


def test_policies_made_one_by_one_are_not_followed() -> None:
    dynamic = '  dynamic "inline_policy" {\n    for_each = var.policies\n    content {}\n  }\n}\n'
    found = holders(ROLE.removesuffix("}\n") + dynamic)
    assert held(found["role/acme-ci"]) == ["and dynamic inline_policy is not followed"]


def test_a_policy_of_awss_own_that_is_not_known_is_said() -> None:
    found = holders(
        ROLE
        + """
resource "aws_iam_role_policy_attachment" "ci" {
  role       = aws_iam_role.ci.name
  policy_arn = "arn:aws:iam::aws:policy/job-function/NetworkAdministrator"
}
"""
    )
    assert held(found["role/acme-ci"]) == [
        "and arn:aws:iam::aws:policy/job-function/NetworkAdministrator is not followed"
    ]


def test_a_holder_made_elsewhere_may_hold_more() -> None:
    found = holders(
        STATE
        + """
resource "aws_iam_role_policy" "ci" {
  role   = var.role_name
  policy = data.aws_iam_policy_document.state.json
}
"""
    )
    assert held(found["role/var.role_name"]) == [
        *GRANTS,
        "and it is made elsewhere, with whatever else it holds",
    ]


def test_a_policy_that_nobody_here_holds_stands_for_itself() -> None:
    (found,) = holders(STATE).values()
    assert (str(found), held(found)) == (
        "policy/iam/main.tf#data.aws_iam_policy_document.state",
        [*GRANTS, "and who holds it, and what else they hold, does not stand beside it"],
    )


def test_a_trust_policy_is_nobodys_grant() -> None:
    trust = """
data "aws_iam_policy_document" "trust" {
  statement {
    actions = ["sts:AssumeRole"]
    principals {
      type        = "Service"
      identifiers = ["codebuild.amazonaws.com"]
    }
  }
}

resource "aws_iam_role" "ci" {
  name               = "acme-ci"
  assume_role_policy = data.aws_iam_policy_document.trust.json
}
"""
    assert {name: held(one) for name, one in holders(trust).items()} == {"role/acme-ci": []}


ONE_OF_TWO = """
data "aws_iam_policy_document" "state" {{
  statement {{
    sid     = "State"
    actions = ["s3:PutObject"]
    resources = {} ? ["arn:aws:s3:::acme-state/*"] : ["arn:aws:s3:::acme-data/*"]
  }}
}}

variable "on" {{
  default = true
}}

variable "off" {{
  default = false
}}
"""


@pytest.mark.parametrize(
    ("condition", "resources"),
    [
        ("var.on", "arn:aws:s3:::acme-state/*"),
        ("var.off", "arn:aws:s3:::acme-data/*"),
        ("var.open", "${var.open} ${var.open}"),
    ],
)
def test_of_two_choices_the_one_that_is_taken_counts(condition: str, resources: str) -> None:
    text = ONE_OF_TWO.format(condition) + ROLE + POLICY + dict(WAYS)["an inline policy of its own"]
    assert held(holders(text)["role/acme-ci"]) == [f"State: {resources}"]


@pytest.mark.parametrize("name", ["a_override.tf", "override.tf"])
def test_an_override_has_the_last_word(name: str) -> None:
    base = STATE + ROLE + dict(WAYS)["an inline policy of its own"]
    over = 'resource "aws_iam_role_policy" "ci" {\n  policy = var.policy\n}\n'
    found = holders({"iam.tf": base, name: over})
    assert held(found["role/acme-ci"]) == ["and var.policy is not followed"]


def test_blocks_of_an_override_replace_those_of_their_type() -> None:
    inline = "  inline_policy {\n    policy = data.aws_iam_policy_document.state.json\n  }\n}\n"
    over = 'resource "aws_iam_role" "ci" {\n  inline_policy {\n    policy = var.policy\n  }\n}\n'
    found = holders({"iam.tf": STATE + ROLE.removesuffix("}\n") + inline, "override.tf": over})
    assert held(found["role/acme-ci"]) == ["and var.policy is not followed"]


def test_what_is_filled_in_is_one_text_with_its_neighbours() -> None:
    text = """
locals {
  team = "net"
}

resource "aws_iam_role_policy" "ci" {
  role   = "acme-ci"
  policy = jsonencode({
    Statement = [{ Effect = "Allow", Action = "s3:*", Resource = "arn:${local.team}/*" }]
  })
}
"""
    (identity,) = holders(text)["role/acme-ci"].layers
    (resources,) = [one.resources for policy in identity.policies for one in policy.statements]
    assert resources
    assert [word.parts for word in resources.words] == [("arn:net/*",)]


def test_the_policies_of_other_directories_are_theirs() -> None:
    module, documents = read(STATE)
    ((path, found),) = documents.written.items()
    beside = [replace(one, path=path.parent.parent / "main.tf") for one in found]
    both = Documents(module, {path: found, path.parent.parent / "main.tf": beside})
    assert list(both.unused()) == found
