"""`aws_dynamodb_table` in: what makes a lock table, what guards it, what to do last of all."""

import json

import pytest

from migrate.tables import resource
from tests.tables.pairs import Told, found, told


def table(*lines: str, key: str = '"LockID"', name: str = '"acme-locks"') -> str:
    inner = [f"  name     = {name}", f"  hash_key = {key}", *(f"  {line}" for line in lines)]
    return "\n".join(['resource "aws_dynamodb_table" "locks" {', *inner, "}", ""])


LOCKS = "aws_dynamodb_table.locks"
CASES: dict[str, tuple[str, str, list[Told]]] = {
    "a lock table": ("a/main.tf", "\n" + table(), [(LOCKS, 2, "acme-locks", ())]),
    "of OpenTofu": ("main.tofu", table(), [(LOCKS, 1, "acme-locks", ())]),
    "named by an expression": ("main.tf", table(name="var.t"), [(LOCKS, 1, None, ())]),
    "another key": ("main.tf", table(key='"Id"'), []),
    "a key that nobody knows": ("main.tf", table(key="var.k"), []),
    "another resource, which is given the table": (
        "main.tf",
        'resource "acme_app" "a" {\n  hash_key = "LockID"\n  table = aws_dynamodb_table.locks.name\n}\n',
        [],
    ),
    "not to be destroyed": (
        "main.tf",
        table("lifecycle {", "  prevent_destroy = true", "}"),
        [(LOCKS, 1, "acme-locks", ("prevent_destroy",))],
    ),
    "with all that hangs on it": (
        "main.tf",
        table(
            "deletion_protection_enabled = var.guard",
            "stream_enabled = true",
            "replica {",
            '  region_name = "eu-west-2"',
            "}",
            "point_in_time_recovery {",
            "  enabled = true",
            "}",
        ),
        [
            (
                LOCKS,
                1,
                "acme-locks",
                ("deletion protection", "replicas", "a stream", "point-in-time recovery"),
            )
        ],
    ),
    "with nothing switched on": (
        "main.tf",
        table(
            "deletion_protection_enabled = false",
            "stream_enabled = false",
            "lifecycle {",
            "  prevent_destroy = false",
            "}",
            "point_in_time_recovery {",
            "  enabled = false",
            "}",
            "ttl {",
            "  enabled = true",
            "}",
        ),
        [(LOCKS, 1, "acme-locks", ())],
    ),
    "replicas by a dynamic block": (
        "main.tf",
        table('dynamic "replica" {', "  for_each = var.regions", "}"),
        [(LOCKS, 1, "acme-locks", ("replicas",))],
    ),
    "Terramate's code": (
        "a.tm.hcl",
        'generate_hcl "a.tf" {\n  content {\n' + table(name="global.t") + "  }\n}\n",
        [(LOCKS, 3, None, ())],
    ),
    "JSON": (
        "main.tf.json",
        json.dumps(
            {"resource": {"aws_dynamodb_table": {"locks": {"name": "acme-locks", "hash_key": "LockID"}}}}
        ),
        [(LOCKS, 1, "acme-locks", ())],
    ),
    "JSON with an expression": (
        "main.tf.json",
        json.dumps(
            {"resource": {"aws_dynamodb_table": {"locks": {"name": "${var.t}", "hash_key": "LockID"}}}}
        ),
        [(LOCKS, 1, None, ())],
    ),
    "JSON with lists of blocks": (
        "main.tf.json",
        '{"resource": [{"aws_dynamodb_table": [{"locks": [{"hash_key": "LockID", "name": "acme-locks"}]}]}]}',
        [(LOCKS, 1, "acme-locks", ())],
    ),
    "JSON with another key": (
        "main.tf.json",
        json.dumps({"resource": {"aws_dynamodb_table": {"locks": {"name": "LockID", "hash_key": "Id"}}}}),
        [],
    ),
    "JSON without a name": (
        "main.tf.json",
        json.dumps({"resource": {"aws_dynamodb_table": {"locks": {"hash_key": "LockID"}}}}),
        [(LOCKS, 1, None, ())],
    ),
    "JSON that is none": ("main.tf.json", '{"aws_dynamodb_table', []),
}


@pytest.mark.parametrize(("path", "text", "expected"), CASES.values(), ids=CASES)
def test_finds(path: str, text: str, expected: list[Told]) -> None:
    assert told(resource, path, text) == expected


def test_says_what_its_owner_does_last_of_all() -> None:
    (plain,) = found(resource, "main.tf", table())
    (guarded,) = found(resource, "main.tf", table("deletion_protection_enabled = true"))
    how = "delete the resource, or forget it with a `removed` block and delete the table by hand"
    end = "; in a change of its own, and not from a root that still locks in it"
    when = "last of all, when nothing uses the table any more: "
    assert plain.remedy == f"{when}{how}{end}"
    assert guarded.remedy == f"{when}lift deletion protection and apply that; then {how}{end}"
