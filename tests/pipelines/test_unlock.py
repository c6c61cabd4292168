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


BY_VARIABLE = """\
env:
  LOCK_TABLE: acme-locks
jobs:
  unlock:
    steps:
      - run: aws dynamodb delete-item --table-name "${{ env.LOCK_TABLE }}" --key "$K"
"""
SHELL = 'T="acme-locks"\naws dynamodb delete-item --key "$K" --table-name=${T}\n'
MANY = 'aws dynamodb batch-write-item --request-items \'{"acme-locks": [{"Key": {"LockID": 1}}]}\'\n'
LIBRARY = 'new DeleteItemCommand({ TableName: "acme-locks", Key: key })\n'
SHORT = 'Remove-DDBItem -TableName "acme-locks" -Key $key\n'


@pytest.mark.parametrize(
    ("path", "text", "expected"),
    [
        (".github/workflows/unlock.yml", WORKFLOW, ["5: - delete-item delete-item acme-locks LockID @ ?"]),
        ("bin/unlock.py", PROGRAM, ["2: - delete-item delete_item acme-locks LockID @ ?"]),
        ("bin/unlock.py", PROGRAM.replace("LockID", "Id"), ["2: - delete-item delete_item acme-locks @ ?"]),
        (
            ".github/workflows/unlock.yml",
            BY_VARIABLE,
            ["6: - delete-item delete-item ${{ env.LOCK_TABLE }} acme-locks @ ?"],
        ),
        ("bin/unlock.sh", SHELL, ["2: - delete-item delete-item ${T} acme-locks @ ?"]),
        ("bin/unlock.sh", MANY, ["1: - delete-item batch-write-item LockID @ ?"]),
        ("bin/unlock.ts", LIBRARY, ["1: - delete-item DeleteItemCommand acme-locks @ ?"]),
        ("bin/unlock.ps1", SHORT, ["1: - delete-item Remove-DDBItem acme-locks @ ?"]),
        ("bin/unlock.py", "# .Table( LockID delete_item\n", []),
        ("table.yml", "TableName: acme-locks\nAttributeName: LockID\n", []),
    ],
)
def test_calls_that_work_on_items(path: str, text: str, expected: list[str]) -> None:
    assert runs(plug, path, text) == expected


def test_a_tool_that_is_built_is_no_automation() -> None:
    assert not plug.claims(PurePosixPath("internal/backend/client.go"), b"")
    assert not plug.claims(PurePosixPath("net/locks.tf"), b"")
