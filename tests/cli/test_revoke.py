"""`edit --phase revoke`: what it prints, and that it writes nothing while its gate is not known."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.cli.estates import BOTH, LOCKFILE, Files, run
from tests.repo import Repo

POLICY = """\
{
  "Version": "2012-10-17",
  "Statement": [
    {
      "Effect": "Allow",
      "Action": "s3:*",
      "Resource": "arn:aws:s3:::acme-state/*"
    },
    {
      "Effect": "Allow",
      "Action": ["dynamodb:PutItem", "dynamodb:DeleteItem"],
      "Resource": "arn:aws:dynamodb:*:*:table/acme-locks"
    }
  ]
}
"""
GATE = (
    "gate table-unused unknown (s3://acme-state/net.tfstate): this version reads no evidence of the table's "
    "use → Keep the table, and the rights to it.\n"
)
BY_NAME = "note policy.json:1: arn:aws:dynamodb:*:*:table/acme-locks is taken to mean a lock table\n"


@pytest.mark.parametrize("write", [False, True])
def test_the_diff_is_printed_and_nothing_is_written(
    write: bool, capsys: pytest.CaptureFixture[str], new_repo: Callable[[str, Files], Repo]
) -> None:
    repo = new_repo("net", {"main.tf": LOCKFILE, "policy.json": POLICY})
    ran = run(capsys, "edit", "--phase", "revoke", *(["--write"] if write else []), repo.path)
    removed = [line[1:].strip() for line in ran.out.splitlines() if line.startswith("-  ")]
    assert '"Resource": "arn:aws:dynamodb:*:*:table/acme-locks"' in removed
    assert ran.err == GATE + BY_NAME + (
        "nothing was written: a gate of revoke is not open\n" if write else ""
    )
    assert ran.code == 6
    assert (repo.path / "policy.json").read_text() == POLICY


def test_as_long_as_somebody_names_the_table_nothing_goes(
    capsys: pytest.CaptureFixture[str], new_repo: Callable[[str, Files], Repo]
) -> None:
    repo = new_repo("net", {"main.tf": BOTH, "policy.json": POLICY})
    ran = run(capsys, "edit", "--phase", "revoke", repo.path)
    assert ran.out == ""
    assert "arn:aws:dynamodb:*:*:table/acme-locks may be a table that a client still names" in ran.err


def test_without_a_state_the_gate_is_unknown_too(
    capsys: pytest.CaptureFixture[str], new_repo: Callable[[str, Files], Repo]
) -> None:
    repo = new_repo("roles", {"policy.json": POLICY})
    ran = run(capsys, "edit", "--phase", "revoke", "--write", repo.path)
    assert "gate table-unused unknown (the lock table): no state here says whose table it is" in ran.err
    assert ran.code == 6
    assert (repo.path / "policy.json").read_text() == POLICY


def test_it_is_never_proposed(
    capsys: pytest.CaptureFixture[str], new_repo: Callable[[str, Files], Repo]
) -> None:
    repo = new_repo("net", {"main.tf": LOCKFILE, "policy.json": POLICY})
    ran = run(capsys, "propose", "--phase", "revoke", repo.path)
    assert (ran.code, "revoke is never proposed" in ran.err) == (64, True)


LOCKS = """\
variable "lock_table" {}

variable "bucket" {}

data "aws_iam_policy_document" "ci" {
  statement {
    actions   = ["s3:*"]
    resources = ["arn:aws:s3:::${var.bucket}/*"]
  }

  statement {
    actions   = ["dynamodb:PutItem"]
    resources = ["arn:aws:dynamodb:*:*:table/${var.lock_table}"]
  }
}

data "aws_iam_policy_document" "locks" {
  statement {
    actions   = ["dynamodb:PutItem"]
    resources = ["arn:aws:dynamodb:*:*:table/acme-locks"]
  }
}

resource "aws_iam_policy" "locks" {
  policy = data.aws_iam_policy_document.locks.json
}
"""


def test_what_is_left_behind_is_named(
    capsys: pytest.CaptureFixture[str], new_repo: Callable[[str, Files], Repo]
) -> None:
    repo = new_repo("roles", {"iam.tf": LOCKS})
    ran = run(capsys, "edit", "--phase", "revoke", repo.path)
    said = ran.err.splitlines()
    assert any(
        line.endswith(
            "iam.tf:18: nothing would be left of this policy → delete it, and what attaches it: iam.tf:25"
        )
        for line in said
    ), "\n".join(said)
    assert "note iam.tf: var.lock_table is used nowhere here any more: what sets it may go too" in said
    assert not any("var.bucket" in line for line in said)
