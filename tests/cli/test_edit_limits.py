"""Policies that limit everybody behind them: told by `edit --phase iam` wherever they stand, never edited."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from tests.cli.estates import TABLE, Files, run
from tests.repo import Repo

New = Callable[[str, Files], Repo]
Capture = pytest.CaptureFixture[str]

BODY = {
    "Effect": "Allow",
    "Action": ["s3:GetObject", "s3:PutObject"],
    "Resource": "arn:aws:s3:::acme-state/*",
}
FILE = json.dumps({"Version": "2012-10-17", "Statement": [BODY]}, indent=2) + "\n"
DOCUMENT = """\
data "aws_iam_policy_document" "all" {
  statement {
    actions   = ["s3:GetObject", "s3:PutObject"]
    resources = ["arn:aws:s3:::acme-state/*"]
  }
}
"""
OF_DOCUMENT = "data.aws_iam_policy_document.all.json"
OF_FILE = 'file("${path.module}/all.json")'
ENCODED = f"jsonencode({FILE.strip()})"
HEREDOC = f"<<EOF\n{FILE.strip()}\nEOF"


def limiting(kind: str, argument: str, policy: str) -> str:
    return f'resource "{kind}" "all" {{\n  {argument} = {policy}\n}}\n'


BOUNDARY = """\
resource "aws_iam_policy" "bound" {
  name   = "bound"
  policy = %s
}

resource "aws_iam_role" "ci" {
  name                 = "ci"
  permissions_boundary = aws_iam_policy.bound.arn
}
"""
KINDS = {
    "an organization": ("aws_organizations_policy", "content"),
    "an endpoint": ("aws_vpc_endpoint", "policy"),
    "an endpoint's own": ("aws_vpc_endpoint_policy", "policy"),
}
FORMS: dict[str, tuple[str, Files]] = {
    "a document": (OF_DOCUMENT, {"policies.tf": DOCUMENT}),
    "a file": (OF_FILE, {"all.json": FILE}),
    "jsonencode": (ENCODED, {}),
    "a heredoc": (HEREDOC, {}),
    "a local": (
        "local.all",
        {"locals.tf": f"locals {{\n  all = {OF_DOCUMENT}\n}}\n", "policies.tf": DOCUMENT},
    ),
}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("kind", [*KINDS, "a boundary"])
def test_what_limits_others_is_told_and_left_to_its_owner(
    kind: str, form: str, new_repo: New, capsys: Capture
) -> None:
    policy, files = FORMS[form]
    limit = BOUNDARY % policy if kind == "a boundary" else limiting(*KINDS[kind], policy)
    repo = new_repo("net", {"main.tf": TABLE, "limit.tf": limit, **files})
    ran = run(capsys, "edit", "--phase", "iam", "--format", "json", repo.path)
    made = json.loads(ran.out)
    assert [one["path"] for one in made["files"]] == []
    (told,) = made["suggestions"]
    assert told["why"].endswith(": its owner adds the statement")
    assert "s3:DeleteObject" in told["text"]
    assert "arn:aws:s3:::acme-state/*.tflock" in told["text"]


def test_a_policy_beside_one_that_limits_others_is_edited(new_repo: New, capsys: Capture) -> None:
    both = DOCUMENT + DOCUMENT.replace('"all"', '"ci"')
    limit = limiting("aws_vpc_endpoint", "policy", OF_DOCUMENT)
    repo = new_repo("net", {"main.tf": TABLE, "limit.tf": limit, "policies.tf": both})
    run(capsys, "edit", "--phase", "iam", "--write", repo.path)
    after = (repo.path / "policies.tf").read_text()
    assert after.startswith(DOCUMENT)
    assert after.count("TerraformStateLockFile") == 1


def test_what_limits_others_is_nobodys_grant(new_repo: New, capsys: Capture) -> None:
    limit = limiting("aws_organizations_policy", "content", OF_FILE)
    repo = new_repo("net", {"main.tf": TABLE, "limit.tf": limit, "all.json": FILE})
    ran = run(capsys, "iam", "check", repo.path)
    assert ran.code == 6
    assert "\n0 holders of policies, 1 state: 1 that nobody who is known locks\n" in ran.out
