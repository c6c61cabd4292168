from pathlib import PurePosixPath

import pytest

from migrate.mentions import mentions, near
from migrate.model import RepoId, Source
from migrate.text import Span
from migrate.unclaimed import looks


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


def looked(path: str, text: str) -> list[tuple[int, str]]:
    source = Source(RepoId("acme/net"), PurePosixPath(path), text)
    return [(m.where.line, m.looks_like) for m in mentions(source, (), looks)]


CARRIED = {
    "a variable": 'variable "dynamodb_table" {}\n',
    "an output": 'output "dynamodb_table" {\n  value = x\n}\n',
    "a module's label": 'module "dynamodb_table" {\n}\n',
    "an argument": 'module "boot" {\n  dynamodb_table = "acme"\n}\n',
    "a local": 'locals {\n  dynamodb_table = "acme"\n}\n',
    "a reference": 'output "x" {\n  value = module.dynamodb_table.arn\n}\n',
    "a reference in a text": 'output "x" {\n  value = "a/${var.dynamodb_table}"\n}\n',
    "a reference in a choice": "locals {\n  x = var.a ? [upper(var.lock_table)] : { a = 1 }\n}\n",
    "the argument of a template": 'locals {\n  x = templatefile("a.tpl", { dynamodb_table = "acme" })\n}\n',
    "an input of a unit": 'inputs = {\n  dynamodb_table = "acme"\n}\n',
}


@pytest.mark.parametrize("text", CARRIED.values(), ids=CARRIED)
@pytest.mark.parametrize("path", ["main.tf", "main.tofu", "terragrunt.hcl"])
def test_a_name_that_is_handed_on_sets_no_lock(path: str, text: str) -> None:
    assert {look for _, look in looked(path, text)} == {"carrier"}


MAY_SET = {
    "a map that may be handed on as a backend": 'locals {\n  b = { dynamodb_table = "acme" }\n}\n',
    "a text": 'locals {\n  x = "dynamodb_table"\n}\n',
    "a text in an expression": 'locals {\n  x = a["dynamodb_table"] + 1\n}\n',
    "code in a text": 'locals {\n  x = <<E\n  dynamodb_table = "a"\nE\n}\n',
    "a backend that no dialect read": 'backend "s3" {\n  dynamodb_table = "acme"\n}\n',
    "a partial configuration": 'dynamodb_table = "acme"\n',
}


@pytest.mark.parametrize("text", MAY_SET.values(), ids=MAY_SET)
def test_what_may_become_a_backend_is_not_taken_for_a_name(text: str) -> None:
    assert {look for _, look in looked("main.tf", text)} == {"other"}


@pytest.mark.parametrize(
    ("path", "text", "look"),
    [
        ("a.tf", 'variable "t" {\n  description = "as use_lockfile"\n}\n', "documentation"),
        ("a.tf", 'variable "t" {\n  description = <<E\n  use_lockfile\nE\n}\n', "documentation"),
        ("a.tf", 'module "row_locks" {\n  source = "../lock_table"\n}\n', "documentation"),
        ("versions.json", '{"dynamodb_table": [">= 0.9.7"]}', "documentation"),
        ("versions.json", '{"dynamodb_table": "acme"}', "other"),
        ("README.yaml", 'usage: |\n  dynamodb_table = "acme"\n', "documentation"),
    ],
)
def test_words_about_a_setting_set_nothing(path: str, text: str, look: str) -> None:
    assert looked(path, text)[-1][1] == look


MAP = "bucket: acme-state\nkey: net.tfstate\n"


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (f"{MAP}dynamodb_table: acme-locks\n", True),
        (f"{MAP}dynamodb_table: acme-locks\nuse_lockfile: false\n", True),
        (f"{MAP}dynamodb_table: acme-locks\nuse_lockfile: true\n", False),
        ('S3Backend({bucket:"acme-state",key:"net.tfstate",dynamodbTable:"l",useLockfile:true})', False),
        (MAP, False),
        (f"{MAP}{'# far away' * 3}\n" + "\n" * 12 + "dynamodb_table: acme-locks\n", False),
    ],
)
def test_what_stands_near_a_table_that_locks_alone(text: str, found: bool) -> None:
    line = text.count("\n", 0, max(text.find("dynamodb"), 0)) + 1
    assert ({"acme-state", "net.tfstate"} <= near(text, line)) == found
