from pathlib import PurePosixPath

import pytest

from migrate.mentions import mentions
from migrate.model import RepoId, Source
from migrate.text import Span


def found(path: str, text: str, *claimed: Span) -> list[tuple[int, str, str]]:
    source = Source(RepoId("acme/net"), PurePosixPath(path), text)
    return [(m.where.line, m.token, m.looks_like) for m in mentions(source, claimed)]


@pytest.mark.parametrize(
    ("path", "text", "expected"),
    [
        ("main.tf", 'variable "dynamodb_table" {}\n', [(1, "dynamodb_table", "other")]),
        ("main.tf", '# dynamodb_table = "acme"\n', [(1, "dynamodb_table", "comment")]),
        ("main.tf", "x = 1 # dynamodb_table\n", [(1, "dynamodb_table", "other")]),
        ("root.hcl", "lock_table = local.t\n", [(1, "lock_table", "terragrunt")]),
        ("a/README.md", "set `use_lockfile`\n", [(1, "use_lockfile", "documentation")]),
        ("backend.tf.j2", 'dynamodb_table = "{{ t }}"\n', [(1, "dynamodb_table", "template")]),
        ("Makefile", "\n\t-backend-config=dynamodb_table=x\n", [(2, "dynamodb_table", "pipeline")]),
        ("ci.yml", "# dynamodb_table\n", [(1, "dynamodb_table", "comment")]),
        ("stack.ts", "a: 1, dynamodbTable: t,\n", [(1, "dynamodbTable", "program")]),
        ("stack.ts", "// dynamodbTable: t\n", [(1, "dynamodbTable", "comment")]),
        ("notes.bin", "dynamodb_table\n", [(1, "dynamodb_table", "other")]),
    ],
)
def test_says_what_each_token_looks_like(path: str, text: str, expected: list[tuple[int, str, str]]) -> None:
    assert found(path, text) == expected


@pytest.mark.parametrize(
    "text",
    ["dynamodb_table_tags", "my_dynamodb_table", "dynamodbTableName", "dynamodb-table", "use_lockfiles"],
)
def test_takes_whole_words_only(text: str) -> None:
    assert found("main.tf", f"{text} = 1\n") == []


def test_leaves_out_what_a_site_claims() -> None:
    text = 'dynamodb_table = "a"\nuse_lockfile = true\n'
    assert found("main.tf", text, Span(0, 20)) == [(2, "use_lockfile", "other")]
