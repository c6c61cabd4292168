"""Programs and scripts in, the lock tables that they make out."""

import pytest

from migrate.tables import program
from tests.tables.pairs import Told, told

TYPESCRIPT = """\
const locks = new dynamodb.Table(this, "Locks", {
  tableName: "acme-locks",
  partitionKey: { name: "LockID", type: dynamodb.AttributeType.STRING },
});
"""
PYTHON = """\
dynamodb.CfnTable(
    self, "Locks", table_name=f"{stage}-locks",
    key_schema=[dynamodb.CfnTable.KeySchemaProperty(attribute_name="LockID", key_type="HASH")],
)
"""
BOTO = 'client.create_table(TableName="acme-locks", KeySchema=[{"AttributeName": "LockID"}])\n'
GO = 'client.CreateTable(&dynamodb.CreateTableInput{TableName: aws.String("acme-locks"), Key: "LockID"})\n'
JAVA = """\
Table.Builder.create(this, "Locks")
    .tableName("acme-locks")
    .partitionKey(Attribute.builder().name("LockID").build()).build();
"""
SHELL = """\
aws dynamodb create-table --table-name acme-locks \\
  --attribute-definitions AttributeName=LockID,AttributeType=S
"""
CASES: dict[str, tuple[str, str, list[Told]]] = {
    "CDK in TypeScript": ("app.ts", TYPESCRIPT, [("dynamodb.Table", 1, "acme-locks", ())]),
    "CDK in Python": ("app.py", PYTHON, [("dynamodb.CfnTable", 1, None, ())]),
    "CDK in Java": ("App.java", JAVA, [("Table.Builder.create", 1, "acme-locks", ())]),
    "boto3": ("make.py", BOTO, [("client.create_table", 1, "acme-locks", ())]),
    "boto3 with a constant": (
        "make.py",
        BOTO.replace('"acme-locks"', "LOCKS"),
        [("client.create_table", 1, None, ())],
    ),
    "a call that makes it in a call": (
        "make.ts",
        "createTable(" + TYPESCRIPT.removesuffix("\n") + ")\n",
        [("createTable", 1, "acme-locks", ())],
    ),
    "Go": ("make.go", GO, [("client.CreateTable", 1, "acme-locks", ())]),
    "the command line": ("boot.sh", SHELL, [("create-table", 1, "acme-locks", ())]),
    "the command line with a variable": (
        "boot.sh",
        SHELL.replace("acme-locks", "$LOCKS"),
        [("create-table", 1, None, ())],
    ),
    "another key": ("app.ts", TYPESCRIPT.replace("LockID", "id") + "// LockID\n", []),
    "a row of the table": ("a.py", 'table.get_item(Key={"LockID": "acme-state/a"})\n', []),
    "a deletion of a row": ("a.sh", "aws dynamodb delete-item --key LockID\n", []),
}


@pytest.mark.parametrize(("path", "text", "expected"), CASES.values(), ids=CASES)
def test_finds(path: str, text: str, expected: list[Told]) -> None:
    assert told(program, path, text) == expected
