"""What becomes of a policy: by whose it is, what it says of the state, and under which condition.

Literals, expressions with a literal tail, lists, programs, modules and Denies have their pairs beside their
notation; here stand the rows that are decided alike in all of them.
"""

from __future__ import annotations

import pytest

from migrate.policies import policy_document
from tests.policies.pairs import check_change, check_untouched, notes

STATEMENT = """\
  statement {
    actions   = [ACTIONS]
    resources = ["RESOURCE"]
  }
"""
STATE = "arn:aws:s3:::acme-state/net/terraform.tfstate"
TABLE = "arn:aws:dynamodb:*:*:table/acme-locks"
SSE = """
    condition {
      test     = "StringEquals"
      variable = "s3:x-amz-server-side-encryption"
      values   = ["aws:kms"]
    }
"""


def statement(*actions: str, on: str = STATE, sid: str = "", condition: str = "") -> str:
    text = STATEMENT.replace("ACTIONS", ", ".join(f'"{one}"' for one in actions)).replace("RESOURCE", on)
    named = text.replace("  actions", f'  sid       = "{sid}"\n    actions', 1) if sid else text
    return named.replace("  }\n", f"{condition}  }}\n") if condition else named


def document(*statements: str) -> str:
    return 'data "aws_iam_policy_document" "ci" {\n' + "\n".join(statements) + "}\n"


WRITES = statement("s3:GetObject", "s3:PutObject")
READS = statement("s3:GetObject")
LOCKS_IN_TABLE = statement("dynamodb:PutItem", "dynamodb:DeleteItem", on=TABLE)
ALL = ("s3:GetObject", "s3:PutObject", "s3:DeleteObject")
LOCK = statement(*ALL, on=f"{STATE}.tflock", sid="TerraformStateLockFile")
ONLY_OF_A_PUT = statement("s3:GetObject", "s3:PutObject", condition=SSE)
SPLIT = (
    statement("s3:PutObject", on=f"{STATE}.tflock", sid="TerraformStateLockFile", condition=SSE),
    statement("s3:GetObject", "s3:DeleteObject", on=f"{STATE}.tflock", sid="TerraformStateLockFileRelease"),
)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ([WRITES], [WRITES, LOCK]),
        ([ONLY_OF_A_PUT], [ONLY_OF_A_PUT, *SPLIT]),
        ([READS, LOCKS_IN_TABLE], [READS, LOCK, LOCKS_IN_TABLE]),
        ([READS], [READS]),
    ],
    ids=[
        "a literal",
        "a condition that only a Put can meet: split",
        "one that reads the state and locks in the table needs the lock",
        "a reader needs nothing",
    ],
)
def test_an_allow_in_a_file_of_ours(before: list[str], after: list[str]) -> None:
    check_change(policy_document, "iam.tf", document(*before), document(*after))


def test_an_expression_that_is_not_resolved_is_taken_where_its_tail_is_the_key_and_said() -> None:
    text = document(statement("s3:PutObject", on="${local.arn}/net/terraform.tfstate"))
    added = statement(*ALL, on="${local.arn}/net/terraform.tfstate.tflock", sid="TerraformStateLockFile")
    check_change(policy_document, "iam.tf", text, text.removesuffix("}\n") + f"\n{added}}}\n")
    assert notes(policy_document, "iam.tf", text) == ["iam.tf:1: ${local.arn} is taken to mean the state"]
    check_untouched(policy_document, "iam.tf", text.replace("/net/", "/app/"))


@pytest.mark.parametrize(
    "bucket",
    [
        "arn:aws:s3:::&{transfer:HomeDirectory}",
        "arn:aws:s3:::&{aws:PrincipalTag/team}",
        "arn:aws:s3:::${var.bucket}",
        "arn:aws:s3:::${var.account}-stats",
        "arn:${local.partition}:s3:::logs-*",
    ],
)
def test_an_expression_or_variable_that_nothing_says_is_the_states_bucket_is_left_alone(bucket: str) -> None:
    check_untouched(policy_document, "iam.tf", document(statement("s3:PutObject", on=f"{bucket}/*")))


@pytest.mark.parametrize(
    ("bucket", "noted"),
    [
        ("arn:aws:s3:::&{aws:PrincipalAccount}-state", ["${aws:PrincipalAccount}"]),
        ("arn:aws:s3:::${var.account}-state", ["${var.account}"]),
        ("arn:${local.partition}:s3:::acme-*", []),
    ],
)
def test_a_bucket_is_taken_for_the_states_by_what_stands_beside_an_expression(
    bucket: str, noted: list[str]
) -> None:
    before = statement("s3:GetObject", "s3:PutObject", on=f"{bucket}/*")
    lock = statement("s3:DeleteObject", on=f"{bucket}/*.tflock", sid="TerraformStateLockFile")
    check_change(policy_document, "iam.tf", document(before), document(before, lock))
    told = [f"iam.tf:1: {one} is taken to mean the state" for one in noted]
    assert notes(policy_document, "iam.tf", document(before)) == told


def test_a_deny_of_another_bucket_in_a_partition_that_is_not_told_is_none_of_the_locks() -> None:
    """An expression between two colons is a part of an ARN, and can hold no bucket and key."""
    deny = statement("s3:*", on="arn:${local.partition}:s3:::logs-*/*").replace(
        "    actions   =", '    effect    = "Deny"\n    actions   ='
    )
    before = statement("s3:GetObject", "s3:PutObject", on="arn:aws:s3:::acme-state/*")
    lock = statement("s3:DeleteObject", on="arn:aws:s3:::acme-state/*.tflock", sid="TerraformStateLockFile")
    check_change(policy_document, "iam.tf", document(before, deny), document(before, lock, deny))
