"""Templates of CloudFormation in, the lock tables that they make out."""

import json

import pytest

from migrate.tables import cloudformation
from tests.tables.pairs import Told, told

YAML = """\
Resources:
  LockTable:
    Type: AWS::DynamoDB::Table
    DeletionPolicy: Retain
    Properties:
      TableName: acme-locks
      KeySchema:
        - AttributeName: LockID
          KeyType: HASH
"""
GUARDED = YAML + "      StreamSpecification:\n        StreamViewType: KEYS_ONLY\n"
BY_STACK = YAML.replace("      TableName: acme-locks\n", "").replace("    DeletionPolicy: Retain\n", "")
JSON = json.dumps(
    {
        "Resources": {
            "LockTable": {
                "Type": "AWS::DynamoDB::Table",
                "Properties": {
                    "TableName": {"Fn::Sub": "${AWS::StackName}-locks"},
                    "KeySchema": [{"AttributeName": "LockID", "KeyType": "HASH"}],
                    "DeletionProtectionEnabled": True,
                },
            }
        }
    },
    indent=2,
)
RETAINED = ("DeletionPolicy Retain",)
CASES: dict[str, tuple[str, str, list[Told]]] = {
    "YAML": ("locks.yaml", YAML, [("LockTable", 2, "acme-locks", RETAINED)]),
    "with a stream": ("locks.yml", GUARDED, [("LockTable", 2, "acme-locks", (*RETAINED, "a stream"))]),
    "named by its stack": ("locks.yaml", BY_STACK, [("LockTable", 2, None, ())]),
    "named by a function": (
        "locks.yaml",
        YAML.replace("acme-locks", "!Sub '${AWS::StackName}-locks'"),
        [("LockTable", 2, None, RETAINED)],
    ),
    "JSON": ("locks.json", JSON, [("LockTable", 3, None, ("deletion protection",))]),
    "a table for something else": ("app.yaml", YAML.replace("LockID", "Id") + "# LockID\n", []),
    "no table": ("a.yaml", "a: LockID\nb: AWS::DynamoDB::Table\n", []),
}


@pytest.mark.parametrize(("path", "text", "expected"), CASES.values(), ids=CASES)
def test_finds(path: str, text: str, expected: list[Told]) -> None:
    assert told(cloudformation, path, text) == expected
