"""Templates of CloudFormation in, the lock tables that they make out."""

import json

import pytest

from migrate.model import Unknown
from migrate.tables import cloudformation
from tests.tables.pairs import Told, found, told

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
ALL = """\
      DeletionProtectionEnabled: !Ref Guard
      Replicas:
        - Region: eu-west-2
      StreamSpecification:
        StreamViewType: KEYS_ONLY
      PointInTimeRecoverySpecification:
        PointInTimeRecoveryEnabled: true
"""
GUARDS = ("deletion protection", "replicas", "a stream", "point-in-time recovery")
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
    "with all that hangs on it": (
        "locks.yml",
        YAML + ALL,
        [("LockTable", 2, "acme-locks", (*RETAINED, *GUARDS))],
    ),
    "with nothing switched on": (
        "locks.yml",
        YAML + "      DeletionProtectionEnabled: false\n",
        [("LockTable", 2, "acme-locks", RETAINED)],
    ),
    "named by its stack": ("locks.yaml", BY_STACK, [("LockTable", 2, None, ())]),
    "named by a function": (
        "locks.yaml",
        YAML.replace("acme-locks", "!Sub '${AWS::StackName}-locks'"),
        [("LockTable", 2, None, RETAINED)],
    ),
    "JSON": ("locks.json", JSON, [("LockTable", 3, None, ("deletion protection",))]),
    "a table for something else": ("app.yaml", YAML.replace("LockID", "Id") + "# LockID\n", []),
    "another resource": ("app.yaml", YAML.replace("::Table", "::Export") + "# AWS::DynamoDB::Table\n", []),
    "no table": ("a.yaml", "a: LockID\nb: AWS::DynamoDB::Table\n", []),
}


@pytest.mark.parametrize(("path", "text", "expected"), CASES.values(), ids=CASES)
def test_finds(path: str, text: str, expected: list[Told]) -> None:
    assert told(cloudformation, path, text) == expected


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (BY_STACK, "by its stack"),
        (JSON, "by an expression"),
        (YAML.replace("acme-locks", "!Sub '${A}-locks'"), "!Sub ${A}-locks"),
    ],
)
def test_says_who_names_a_table(text: str, why: str) -> None:
    (definition,) = found(cloudformation, "locks.yaml", text)
    assert definition.table == Unknown(why)
