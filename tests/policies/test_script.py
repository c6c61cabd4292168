"""Scripts that make policies: the exact statement as JSON, never an edit."""

from __future__ import annotations

import pytest

from migrate.policies import script
from tests.policies.pairs import check_untouched, suggestion

WHY = "a script makes this policy: add the statement behind the one that grants the state"

HERE = """\
#!/bin/bash
cat > policy.json <<EOF
{
  "Version": "2012-10-17",
  "Statement": [
    {
      "Effect": "Allow",
      "Action": ["s3:GetObject", "s3:PutObject"],
      "Resource": "arn:aws:s3:::${STATE_BUCKET}/net/terraform.tfstate"
    }
  ]
}
EOF
"""
TOLD = """\
{
  "Sid": "TerraformStateLockFile",
  "Effect": "Allow",
  "Action": ["s3:GetObject", "s3:PutObject", "s3:DeleteObject"],
  "Resource": "arn:aws:s3:::${STATE_BUCKET}/net/terraform.tfstate.tflock"
}"""

IN_LINE = (
    '{ "Sid": "TerraformStateLockFile", "Effect": "Allow", "Action": ["s3:GetObject", "s3:DeleteObject"], '
    '"Resource": "arn:aws:s3:::acme-state/*.tflock" }'
)


def test_a_here_document() -> None:
    assert suggestion(script, "ci.sh", HERE) == (3, WHY, TOLD)


@pytest.mark.parametrize("bucket", ["$STATE_BUCKET", "$(state_bucket)"])
def test_what_the_shell_fills_in_stays_as_it_is(bucket: str) -> None:
    (_, _, told) = suggestion(script, "ci.sh", HERE.replace("${STATE_BUCKET}", bucket))
    assert told == TOLD.replace("${STATE_BUCKET}", bucket)


def test_json_in_quotes() -> None:
    text = (
        'aws iam put-role-policy --policy-document \'{"Statement": '
        '[{"Effect": "Allow", "Action": "s3:PutObject", "Resource": "arn:aws:s3:::acme-state/*"}]}\'\n'
    )
    assert suggestion(script, "ci.sh", text) == (
        1,
        WHY,
        IN_LINE,
    )


@pytest.mark.parametrize(
    "text",
    [
        "echo s3:PutObject\n",
        HERE.replace("s3:PutObject", "s3:ListBucket"),
        HERE.replace('"Version"', "Version"),
        HERE.replace("EOF\n", "", 1).replace("EOF", "END"),
        '"Statement"\n' + "<<A\n{\n" * 2_000,
    ],
)
def test_says_nothing(text: str) -> None:
    check_untouched(script, "ci.sh", text)
