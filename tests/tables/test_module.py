"""Calls of public modules in: which of them make a lock table, and what stops that."""

import pytest

from migrate.tables import module
from tests.tables.pairs import Told, found, told


def call(source: str, *lines: str) -> str:
    inner = [f'  source = "{source}"', *(f"  {line}" for line in lines)]
    return "\n".join(['module "boot" {', *inner, "}", ""])


BACKEND = "cloudposse/tfstate-backend/aws"
ANY = "terraform-aws-modules/dynamodb-table/aws"
NAMED = 'dynamodb_table_name = "acme-locks"'
MADE: Told = ("module.boot", 1, "acme-locks", ())

CASES: dict[str, tuple[str, list[Told]]] = {
    "cloudposse": (call(BACKEND, NAMED), [MADE]),
    "from git": (
        call("git::https://github.com/cloudposse/terraform-aws-tfstate-backend.git?ref=1.4.0", NAMED),
        [MADE],
    ),
    "named by the module": (call(BACKEND), [("module.boot", 1, None, ())]),
    "switched on": (call(BACKEND, NAMED, "dynamodb_enabled = true"), [MADE]),
    "switched off": (call(BACKEND, NAMED, "dynamodb_enabled = false"), []),
    "guarded": (
        call(BACKEND, NAMED, "deletion_protection_enabled = true"),
        [("module.boot", 1, "acme-locks", ("deletion protection",))],
    ),
    "nozaq": (call("nozaq/remote-state-s3-backend/aws", NAMED), [MADE]),
    "trussworks": (call("trussworks/bootstrap/aws", NAMED), [MADE]),
    "a table of any kind": (call(ANY, 'name = "acme"', 'hash_key = "Id"'), []),
    "a lock table": (call(ANY, 'name = "acme-locks"', 'hash_key = "LockID"'), [MADE]),
    "a lock table with a stream": (
        call(ANY, 'name = "acme-locks"', 'hash_key = "LockID"', "stream_enabled = true"),
        [("module.boot", 1, "acme-locks", ("a stream",))],
    ),
    "a lock table with replicas": (
        call(ANY, 'name = "acme-locks"', 'hash_key = "LockID"', 'replica_regions = ["eu-west-2"]'),
        [("module.boot", 1, "acme-locks", ("replicas",))],
    ),
    "a module of that name by somebody else": (call("acme/tfstate-backend/aws", NAMED), []),
    "a module of the repository": (call("./tfstate-backend", NAMED), []),
}


@pytest.mark.parametrize(("text", "expected"), CASES.values(), ids=CASES)
def test_finds(text: str, expected: list[Told]) -> None:
    assert told(module, "main.tf", text) == expected


@pytest.mark.parametrize(
    ("source", "lines", "switch"),
    [
        (
            BACKEND,
            ('version = "1.4.0"',),
            "set `dynamodb_enabled = false`, which releases from 0.34.0",
        ),
        (BACKEND, ('version = "1.4.0"',), "(here: 1.4.0)"),
        ("nozaq/remote-state-s3-backend/aws", (), "a breaking one"),
        ("trussworks/bootstrap/aws", (), "no release known here has a switch"),
        (ANY, ('hash_key = "LockID"',), "set `create_table = false`"),
        ("cloudposse/dynamodb/aws", ('hash_key = "LockID"',), "set `enabled = false`"),
    ],
)
def test_names_the_switch(source: str, lines: tuple[str, ...], switch: str) -> None:
    (definition,) = found(module, "main.tf", call(source, *lines))
    assert switch in definition.remedy
