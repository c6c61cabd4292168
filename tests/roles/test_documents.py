"""Documents made of documents, files and templates, and what the expressions in them come to."""

from __future__ import annotations

import pytest

from tests.roles.source import held, holders

ROLE = """
resource "aws_iam_role" "ci" {
  name = "acme-ci"
}

resource "aws_iam_role_policy" "ci" {
  role   = aws_iam_role.ci.id
  policy = data.aws_iam_policy_document.ci.json
}
"""


def statement(sid: str, resource: str) -> str:
    name = f'sid = "{sid}"\n' if sid else ""
    return f'  statement {{\n    {name}    actions = ["s3:GetObject"]\n    resources = [{resource}]\n  }}\n'


def document(name: str, *statements: str, more: str = "") -> str:
    return f'data "aws_iam_policy_document" "{name}" {{\n{more}{"".join(statements)}}}\n'


BASE = document("base", statement("State", '"arn:aws:s3:::acme-state/*"'), statement("", '"base"'))
FROM_BASE = "  source_policy_documents = [data.aws_iam_policy_document.base.json]\n"
OVER = "  override_policy_documents = [data.aws_iam_policy_document.base.json]\n"


@pytest.mark.parametrize(
    ("own", "more", "merged"),
    [
        (
            statement("Own", '"own"'),
            FROM_BASE,
            ["State: arn:aws:s3:::acme-state/*", "Allow: base", "Own: own"],
        ),
        (statement("State", '"own"'), FROM_BASE, ["State: own", "Allow: base"]),
        (statement("State", '"own"'), OVER, ["State: arn:aws:s3:::acme-state/*", "Allow: base"]),
    ],
)
def test_a_document_of_documents(own: str, more: str, merged: list[str]) -> None:
    text = ROLE + BASE + document("ci", own, more=more)
    assert held(holders(text)["role/acme-ci"]) == merged


def test_a_document_made_of_one_that_is_not_here_is_not_whole() -> None:
    text = ROLE + document("ci", statement("Own", '"own"'), more="  source_policy_documents = [var.base]\n")
    found = holders(text)["role/acme-ci"]
    assert held(found) == [
        "Own: own",
        "and iam/main.tf:10: var.base is not followed",
    ]
    assert found.layers[0].may_deny == ""  # as of every policy that is not followed: its layer is not whole


@pytest.mark.parametrize("at", ["0", "each.key", "aws_s3_bucket.state[0].arn"])
def test_one_of_several_documents(at: str) -> None:
    one = ROLE.replace("document.ci.json", f"document.ci[{at}].json")
    assert held(holders(one + document("ci", statement("S", '"*"')))["role/acme-ci"]) == ["S: *"]


@pytest.mark.parametrize(("more", "whole"), [(FROM_BASE, False), (OVER, True), ("", True)])
def test_a_sid_that_an_expression_makes_may_be_that_of_another(more: str, *, whole: bool) -> None:
    text = ROLE + document("ci", statement("${local.name}", '"own"'), more=more) + BASE
    said = "its Sid ${local.name} may be that of a statement which it then replaces"
    assert held(holders(text)["role/acme-ci"])[-1].endswith(said) is not whole


NAMES = """
variable "bucket" {
  default = "acme-state"
}

variable "team" {}

locals {
  arn   = "arn:aws:s3:::${var.bucket}"
  teams = ["net", "app"]
  keys  = ["${local.arn}/net/*", "${local.arn}/app/*"]
}

resource "aws_s3_bucket" "state" {
  bucket = var.bucket
}

resource "aws_dynamodb_table" "lock" {
  name = "acme-locks"
}
"""


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ('"${local.arn}/*"', "arn:aws:s3:::acme-state/*"),
        ('"${aws_s3_bucket.state.arn}/net/*"', "arn:aws:s3:::acme-state/net/*"),
        ('"arn:aws:s3:::${aws_s3_bucket.state.id}/*"', "arn:aws:s3:::acme-state/*"),
        ('"${aws_s3_bucket.state[0].arn}/*"', "arn:aws:s3:::acme-state/*"),
        ("aws_dynamodb_table.lock.arn", "arn:aws:dynamodb:*:*:table/acme-locks"),
        ('"${local.arn}/${var.team}/*"', "arn:aws:s3:::acme-state/${var.team}/*"),
        ('"${module.state.arn}/*"', "${module.state.arn}/*"),
        ('"${aws_s3_bucket.state.bucket_domain_name}/*"', "${aws_s3_bucket.state.bucket_domain_name}/*"),
    ],
)
def test_what_an_expression_comes_to(written: str, meant: str) -> None:
    text = ROLE + NAMES + document("ci", statement("S", written))
    assert held(holders(text)["role/acme-ci"]) == [f"S: {meant}"]


def test_a_list_stands_for_its_items() -> None:
    text = ROLE + NAMES + document("ci", statement("S", "x").replace("[x]", "local.keys"))
    assert held(holders(text)["role/acme-ci"]) == [
        "S: arn:aws:s3:::acme-state/net/* arn:aws:s3:::acme-state/app/*"
    ]


def test_a_default_says_nothing_where_other_modules_set_the_variable() -> None:
    text = ROLE + NAMES + document("ci", statement("S", '"${local.arn}/*"'))
    assert held(holders(text, called=True)["role/acme-ci"]) == ["S: ${local.arn}/*"]


TEMPLATE = (
    '{"Version": "2012-10-17", "Statement": [{"Sid": "S", "Effect": "Allow", "Action": "s3:GetObject", '
    '"Resource": "arn:aws:s3:::${bucket}/${key}"}]}'
)


def test_a_template_is_filled_with_what_its_call_says() -> None:
    call = (
        'policy = templatefile("${path.module}/ci.json.tftpl", '
        "{ bucket = aws_s3_bucket.state.id, key = var.team })"
    )
    text = ROLE.replace("policy = data.aws_iam_policy_document.ci.json", call) + NAMES
    found = holders({"main.tf": text, "ci.json.tftpl": TEMPLATE})
    assert held(found["role/acme-ci"]) == ["S: arn:aws:s3:::acme-state/${key}"]


def test_a_file_that_is_not_there_is_not_followed() -> None:
    text = ROLE.replace("data.aws_iam_policy_document.ci.json", 'file("${path.module}/ci.json")')
    assert held(holders(text)["role/acme-ci"]) == ['and file("${path.module}/ci.json") is not followed']


def test_documents_that_go_round_end() -> None:
    round_ = document("ci", more="  source_policy_documents = [data.aws_iam_policy_document.ci.json]\n")
    assert "is not followed" in held(holders(ROLE + round_)["role/acme-ci"])[-1]
