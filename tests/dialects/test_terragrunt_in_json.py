"""Terragrunt's JSON form: a member goes in where the table stands."""

from migrate.dialects import terragrunt
from migrate.model import LockWish
from tests.pairs import check_change

TEXT = """\
{
  "remote_state": {
    "backend": "s3",
    "config": {
      "bucket": "acme-state",
      "dynamodb_table": "acme-locks"%s,
      "key": "${path_relative_to_include()}/s"
    }
  }
}
"""


def test_changes_in_json() -> None:
    after = TEXT % ',\n      "use_lockfile": true'
    check_change(terragrunt, "live/terragrunt.hcl.json", TEXT % "", after, LockWish.DUAL)
