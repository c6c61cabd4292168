"""Blocks between the marks of a template engine: what a condition decides is not known, nor edited."""

from __future__ import annotations

import pytest

from migrate.dialects import template
from migrate.model import LockWish, Site
from tests.pairs import block, refusal, source

EITHER_OR = """\
terraform {
  backend "s3" {
    bucket = "${bucket}"
    key    = "net"
    %{~ if use_lockfile ~}

    use_lockfile = true
    %{~ else ~}
    %{~ if dynamodb_table != "" ~}

    dynamodb_table = "${dynamodb_table}"
    %{~ endif ~}
    %{~ endif ~}
  }
}
"""
LOCKFILE_MAYBE = """\
terraform {
  backend "s3" {
    key            = "net"
    dynamodb_table = "${locks}"
    %{~ if lockfile ~}
    use_lockfile   = true
    %{~ endif ~}
  }
}
"""
LET_BOTH = (
    'move `dynamodb_table = "${dynamodb_table}"` out of its branch, so that it stands beside '
    "`use_lockfile = true` until every client holds both locks; then drop it"
)


def found(text: str) -> Site:
    (site,) = template.find(source("backend.tf.tpl", text)).items
    return site


@pytest.mark.parametrize(
    ("text", "wish", "answer"),
    [
        (
            EITHER_OR,
            LockWish.DUAL,
            (
                2,
                "this template writes the table or the lockfile, never both: dual lock is impossible",
                LET_BOTH,
            ),
        ),
        (
            EITHER_OR,
            LockWish.RETIRE,
            (
                11,
                '`dynamodb_table = "${dynamodb_table}"` stands under a condition of the template',
                "in line 11: delete it, in every branch",
            ),
        ),
        (
            LOCKFILE_MAYBE,
            LockWish.DUAL,
            (
                6,
                "`use_lockfile   = true` stands under a condition of the template",
                "in line 6: write `use_lockfile = true`, in every branch",
            ),
        ),
        (
            LOCKFILE_MAYBE,
            LockWish.RETIRE,
            (
                6,
                "use_lockfile is true, under a condition of the template: no lock would be left",
                "write use_lockfile = true first",
            ),
        ),
    ],
)
def test_a_lock_under_a_condition_is_left_to_people(
    text: str, wish: LockWish, answer: tuple[int, str, str]
) -> None:
    assert refusal(template, "backend.tf.tpl", text, wish) == answer


@pytest.mark.parametrize(
    ("text", "exclusive"),
    [
        (EITHER_OR, True),
        (EITHER_OR.replace('dynamodb_table = "${dynamodb_table}"', "encrypt = true"), False),
        (EITHER_OR.replace("use_lockfile = true", "encrypt = true"), False),
    ],
)
def test_knows_the_either_or(text: str, exclusive: bool) -> None:
    assert found(text).exclusive == exclusive


@pytest.mark.parametrize(
    ("again", "why"),
    [
        ('dynamodb_table = "b"', "dynamodb_table stands twice in one block: Terraform rejects it"),
        ('{% if b %}\n    dynamodb_table = "b"\n{% endif %}', None),
    ],
)
def test_an_argument_may_stand_twice_under_conditions_alone(again: str, why: str | None) -> None:
    assert found(block('dynamodb_table = "a"', again)).why_not == why
