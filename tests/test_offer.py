"""The commands that a proposal prints for a lock table, run by a real shell against a real endpoint."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import boto3
import pytest
from moto.server import ThreadedMotoServer
from msgspec.structs import replace

from migrate.model import Check, Known, Outcome, RepoId, Unknown, Verdict
from migrate.offer import DigestRow, Offer, Part, check, delete_digest
from tests.programs import script

AWS: Final = '''\
"""The two calls of the AWS CLI that a proposal prints."""
import argparse, json, sys, boto3, botocore.exceptions
parser = argparse.ArgumentParser()
for name in ("service", "call", "--region", "--table-name", "--key", "--query", "--output",
             "--condition-expression", "--expression-attribute-values"):
    parser.add_argument(name)
parser.add_argument("--consistent-read", action="store_true")
given = parser.parse_args()
table = boto3.client(given.service, region_name=given.region, endpoint_url="{endpoint}")
named = {{"TableName": given.table_name, "Key": json.loads(given.key)}}
if given.call == "get-item":
    assert (given.query, given.output) == ("Item.Digest.S", "text")
    found = table.get_item(ConsistentRead=given.consistent_read, **named).get("Item")
    print(found["Digest"]["S"] if found else None)
else:
    try:
        table.delete_item(ConditionExpression=given.condition_expression,
                          ExpressionAttributeValues=json.loads(given.expression_attribute_values), **named)
    except botocore.exceptions.ClientError as error:
        sys.exit(f"{{error}}")
'''
ROW: Final = DigestRow(
    "s3://acme-state/net",
    "",
    "acme-state",
    'it\'s "n"\\et$x',
    Known("locks"),
    Known("eu-west-1"),
    Unknown(""),
)


class Table:
    """A lock table, and a shell whose `aws` asks it."""

    def __init__(self, endpoint: str, folder: Path) -> None:
        self.client = boto3.client(
            "dynamodb",
            region_name="eu-west-1",
            endpoint_url=endpoint,
            aws_access_key_id="test",
            aws_secret_access_key="test",
        )
        self._folder = folder
        script(folder / "aws", AWS.format(endpoint=endpoint))

    def put(self, digest: str) -> None:
        self.client.put_item(
            TableName="locks",
            Item={"LockID": {"S": ROW.lock_id}, "Digest": {"S": digest}, "Info": {"S": "x"}},
        )

    def holds(self) -> bool:
        return "Item" in self.client.get_item(TableName="locks", Key={"LockID": {"S": ROW.lock_id}})

    def run(self, command: str) -> int:
        told = {
            "PATH": f"{self._folder}:{os.environ['PATH']}",
            "AWS_ACCESS_KEY_ID": "test",
            "AWS_SECRET_ACCESS_KEY": "test",
        }
        return subprocess.run(["sh", "-c", command], env={**os.environ, **told}, check=False).returncode


@pytest.fixture(scope="module")
def endpoint() -> Iterator[str]:
    server = ThreadedMotoServer("127.0.0.1", 0, verbose=False)
    server.start()
    host, port = server.get_host_and_port()
    yield f"http://{host}:{port}"
    server.stop()


@pytest.fixture
def table(endpoint: str, tmp_path: Path) -> Iterator[Table]:
    table = Table(endpoint, tmp_path)
    table.client.create_table(
        TableName="locks",
        KeySchema=[{"AttributeName": "LockID", "KeyType": "HASH"}],
        AttributeDefinitions=[{"AttributeName": "LockID", "AttributeType": "S"}],
        BillingMode="PAY_PER_REQUEST",
    )
    yield table
    table.client.delete_table(TableName="locks")
    table.client.close()


@pytest.mark.parametrize(
    ("read", "stands", "gone", "code"),
    [
        (Unknown(""), "9f2c", True, 0),
        (Known("9f2c"), "9f2c", True, 0),
        (Known("9f2c"), "written since", False, 1),
    ],
)
def test_the_row_goes_only_if_it_is_the_one_that_was_read(
    table: Table, read: Known[str] | Unknown, stands: str, gone: bool, code: int
) -> None:
    table.put(stands)
    assert table.run(delete_digest(replace(ROW, digest=read))) == code
    assert table.holds() is not gone


def test_no_row_is_no_error(table: Table) -> None:
    assert table.run(delete_digest(ROW)) == 0


def test_a_table_that_cannot_be_read_is_an_error(table: Table) -> None:
    assert table.run(delete_digest(replace(ROW, table=Known("other")))) != 0


def test_what_is_not_known_is_a_word_to_replace() -> None:
    command = delete_digest(replace(ROW, table=Unknown("a variable"), region=Unknown("a variable")))
    assert "--region REGION --table-name TABLE" in command


def test_a_gate_is_said_once_with_the_least_of_its_answers() -> None:
    verdicts = [
        Verdict("soaked", "a", Outcome.HOLDS, ""),
        Verdict("soaked", "b", Outcome.UNKNOWN, ""),
        Verdict("writers-dual", "a", Outcome.BROKEN, ""),
        Verdict("writers-dual", "b", Outcome.HOLDS, ""),
        Verdict("readers-safe", "a", Outcome.HOLDS, ""),
    ]
    assert Offer(RepoId("net"), (Part("retire", (), tuple(verdicts)),)).checked == (
        ("soaked", "is not known"),
        ("writers-dual", "does not hold"),
        ("readers-safe", "holds"),
    )


@pytest.mark.parametrize(
    ("outcomes", "expected"),
    [
        ("", Check(Outcome.HOLDS, "no gate holds this back")),
        ("HH", Check(Outcome.HOLDS, "every gate is open")),
        ("HU", Check(Outcome.UNKNOWN, "soaked: gate 1")),
        ("UBH", Check(Outcome.BROKEN, "soaked: gate 1")),
    ],
)
def test_the_check_is_the_worst_of_its_gates(outcomes: str, expected: Check) -> None:
    words = {"H": Outcome.HOLDS, "U": Outcome.UNKNOWN, "B": Outcome.BROKEN}
    verdicts = [Verdict("soaked", "s", words[one], f"gate {at}") for at, one in enumerate(outcomes)]
    assert check(Offer(RepoId("acme/net"), (Part("retire", (), tuple(verdicts)),))) == expected
