"""A policy that AWS would not take any more is refused before it is edited, with what to do instead."""

from __future__ import annotations

import json

import pytest

from migrate.model import Refusal
from migrate.policies import cloudformation, json_in_hcl, plain_json, policy_document
from tests.pairs import source
from tests.policies.pairs import granted

REMEDY = "grant the lock in a policy of its own, attached to the same role"


def resources(size: int) -> list[str]:
    """The state, and other objects of 100 characters each."""
    others = [f"arn:aws:s3:::acme-data/{number:074}/*" for number in range(size // 100)]
    return ["arn:aws:s3:::acme-state/net/terraform.tfstate", *others]


def in_json(size: int) -> str:
    statement = {"Effect": "Allow", "Action": "s3:PutObject", "Resource": resources(size)}
    return json.dumps({"Version": "2012-10-17", "Statement": [statement]}, indent=2)


def in_hcl(kind: str, size: int) -> str:
    items = "".join(f'        "{one}",\n' for one in resources(size))
    return (
        f'resource "{kind}" "ci" {{\n  policy = jsonencode({{\n    Version = "2012-10-17"\n'
        '    Statement = [{\n      Effect = "Allow"\n      Action = "s3:PutObject"\n'
        f"      Resource = [\n{items}"
        "      ]\n    }]\n  })\n}\n"
    )


@pytest.mark.parametrize(
    ("kind", "most"),
    [
        ("aws_iam_policy", 6_144),
        ("aws_iam_role_policy", 10_240),
        ("aws_iam_user_policy", 2_048),
        ("aws_iam_group_policy", 5_120),
    ],
)
def test_a_policy_of_terraform(kind: str, most: int) -> None:
    assert isinstance(granted(json_in_hcl, source("ci.tf", in_hcl(kind, most - 700))), str)
    answer = granted(json_in_hcl, source("ci.tf", in_hcl(kind, most)))
    assert isinstance(answer, Refusal)
    assert (answer.why.startswith("it would have"), answer.why.endswith(f"of {most:,}")) == (True, True)
    assert answer.remedy == REMEDY


def test_one_of_which_nobody_knows_the_resource_has_the_widest_limit() -> None:
    assert isinstance(granted(plain_json, source("ci.json", in_json(9_000))), str)
    assert isinstance(granted(plain_json, source("ci.json", in_json(10_200))), Refusal)
    document = (
        'data "aws_iam_policy_document" "ci" {\n  statement {\n    actions   = ["s3:PutObject"]\n'
        f"    resources = {json.dumps(resources(10_200))}\n  }}\n}}\n"
    )
    assert isinstance(granted(policy_document, source("ci.tf", document)), Refusal)


def test_a_managed_policy_of_cloudformation() -> None:
    template = {
        "Resources": {
            "Ci": {
                "Type": "AWS::IAM::ManagedPolicy",
                "Properties": {"PolicyDocument": json.loads(in_json(6_000))},
            }
        }
    }
    answer = granted(cloudformation, source("ci.template", json.dumps(template, indent=2)))
    assert isinstance(answer, Refusal)
    assert answer.why.endswith("of 6,144")


def test_what_expressions_come_to_does_not_count() -> None:
    long = "${local.a_name_that_goes_on_and_on_and_says_nothing_of_how_long_what_it_means_is}"
    text = in_hcl("aws_iam_user_policy", 1_500).replace(":::acme-data/", f":::{long}/")
    assert isinstance(granted(json_in_hcl, source("ci.tf", text)), str)
