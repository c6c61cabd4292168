"""Modules from elsewhere: the statement that their roles need, where they are given bucket and lock table."""

from __future__ import annotations

import json

import pytest

from migrate.iam.address import Address
from migrate.iam.revoke import Revoke
from migrate.iam.target import Grant, Target
from migrate.model import Suggestion
from migrate.policies import module_input
from tests.pairs import Answer, edited, source

WISH = Grant((Target(Address("acme-state", "net/terraform.tfstate")),), tables=("acme-locks",))
CALL = """\
module "ci_role" {
  source         = "acme/github-oidc-role/aws"
  version        = "1.2.0"
  state_bucket   = "acme-state"
  lock_table_arn = "arn:aws:dynamodb:eu-west-1:111122223333:table/acme-locks"
}
"""


def asked(text: str) -> Answer:
    return edited(module_input, source("main.tf", text), WISH)


def test_the_statement_that_its_roles_need() -> None:
    answer = asked(CALL)
    assert isinstance(answer, Suggestion)
    assert answer.why == "what this module grants does not stand here: its roles need this statement"
    assert json.loads(answer.text) == {
        "Sid": "TerraformStateLockFile",
        "Effect": "Allow",
        "Action": ["s3:GetObject", "s3:PutObject", "s3:DeleteObject"],
        "Resource": ["arn:aws:s3:::acme-state/net/terraform.tfstate.tflock"],
    }


STATEMENTS = """\
module "ci_role" {
  source                    = "terraform-aws-modules/iam/aws//modules/iam-role"
  inline_policy_permissions = {
    State = {
      actions   = ["s3:GetObject", "s3:PutObject"]
      resources = ["arn:aws:s3:::acme-state/*"]
    }
  }
}
"""


def test_the_statement_that_roles_need_whose_statements_are_inputs() -> None:
    answer = asked(STATEMENTS)
    assert isinstance(answer, Suggestion)
    assert json.loads(answer.text)["Resource"] == ["arn:aws:s3:::acme-state/net/terraform.tfstate.tflock"]
    assert asked(STATEMENTS.replace("PutObject", "ListBucket")) == STATEMENTS.replace(
        "PutObject", "ListBucket"
    )


@pytest.mark.parametrize(
    "text",
    [
        CALL.replace("acme-state", "acme-data"),
        CALL.replace(' "ci_role"', ""),
        CALL.replace("table/acme-locks", "table/users"),
        CALL.replace('"acme/github-oidc-role/aws"', '"./modules/role"'),
        CALL.replace('"acme/github-oidc-role/aws"', '"cloudposse/backend/aws"').replace("ci_role", "state"),
    ],
)
def test_says_nothing(text: str) -> None:
    assert asked(text) == text


def test_what_such_a_module_grants_is_not_taken_out() -> None:
    assert edited(module_input, source("iam.tf", CALL), Revoke()) == CALL
