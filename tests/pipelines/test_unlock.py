from pathlib import PurePosixPath

import pytest

from migrate.pipelines import unlock as plug
from tests.pipelines.reading import runs

WORKFLOW = """\
jobs:
  unlock:
    steps:
      - run: |
          aws dynamodb delete-item \\
            --table-name acme-locks \\
            --key '{"LockID": {"S": "acme-state/net"}}'
"""
PROGRAM = 'table = resource.Table("acme-locks")\ntable.delete_item(Key={"LockID": lock_id})\n'


@pytest.mark.parametrize(
    ("path", "text", "expected"),
    [
        (".github/workflows/unlock.yml", WORKFLOW, ["5: - delete-item delete-item @ ?"]),
        ("bin/unlock.py", PROGRAM, ["2: - delete-item delete_item @ ?"]),
        ("bin/unlock.py", PROGRAM.replace("LockID", "Id"), []),
        ("bin/unlock.py", "# .Table( LockID delete_item\n", []),
        ("table.yml", "TableName: acme-locks\nAttributeName: LockID\n", []),
    ],
)
def test_calls_beside_a_lock_id(path: str, text: str, expected: list[str]) -> None:
    assert runs(plug, path, text) == expected


def test_a_tool_that_is_built_is_no_automation() -> None:
    assert not plug.claims(PurePosixPath("internal/backend/client.go"), b"")
    assert not plug.claims(PurePosixPath("net/locks.tf"), b"")
