"""The code of a repository in; what its lock table is called and what carries its name out."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import PurePosixPath

import pytest

from migrate.campaign.reading.chains import chained
from migrate.campaign.reading.tree import Tree
from migrate.dialects import terraform
from migrate.model import Definition, Known
from migrate.tables import module, resource
from tests.pairs import REPO, source

TABLE = 'resource "aws_dynamodb_table" "locks" {\n  name     = %s\n  hash_key = "LockID"\n}\n'
LITERAL = TABLE % '"acme-locks"'
CALL = 'module "boot" {\n  source = "./boot"\n%s}\n'
OUTPUT = 'output "locks" {\n  value = aws_dynamodb_table.locks[0].name\n}\n'


def definitions(files: Mapping[str, str]) -> list[Definition]:
    sources = {PurePosixPath(path): source(path, text) for path, text in files.items()}
    code = [one for path, one in sources.items() if path.suffix == ".tf"]
    found = [one for each in code for plug in (resource, module) for one in plug.find(each).items]
    links = [link for each in code for link in terraform.find(each).links]

    def names(folder: PurePosixPath) -> list[str]:
        return [path.name for path in sources if path.parent == folder]

    tree = Tree({path: one.text for path, one in sources.items()}, lambda path: None, names)
    return list(chained(REPO, found, links, tree))


NAMES: dict[str, tuple[Mapping[str, str], str | None]] = {
    "a literal": ({"main.tf": LITERAL}, "acme-locks"),
    "a default": ({"main.tf": TABLE % "var.t" + 'variable "t" {\n  default = "acme"\n}\n'}, "acme"),
    "a local": ({"main.tf": TABLE % '"${local.p}-locks"' + 'locals {\n  p = "acme"\n}\n'}, "acme-locks"),
    "a value": ({"main.tf": TABLE % "var.t", "terraform.tfvars": 't = "acme"\n'}, "acme"),
    "an argument of the call": (
        {"main.tf": CALL % '  t = "acme"\n', "boot/main.tf": TABLE % "var.t"},
        "acme",
    ),
    "two calls that differ": (
        {
            "main.tf": CALL % '  t = "one"\n' + (CALL % '  t = "two"\n').replace("boot", "boot2", 1),
            "boot/main.tf": TABLE % "var.t",
        },
        None,
    ),
    "nothing says it": ({"main.tf": TABLE % "var.t"}, None),
}


@pytest.mark.parametrize(("files", "name"), NAMES.values(), ids=NAMES)
def test_what_the_table_is_called(files: Mapping[str, str], name: str | None) -> None:
    (definition,) = definitions(files)
    assert (definition.table.value if isinstance(definition.table, Known) else None) == name


CARRIERS: dict[str, tuple[Mapping[str, str], list[str]]] = {
    "nothing": ({"main.tf": LITERAL}, []),
    "an output that nobody reads": ({"main.tf": LITERAL + OUTPUT}, ["output locks main.tf:5 dead"]),
    "an output read by the caller's own, which nobody reads": (
        {
            "main.tf": CALL % "" + 'output "t" {\n  value = module.boot.locks\n}\n',
            "boot/main.tf": LITERAL + OUTPUT,
        },
        ["output locks boot/main.tf:5", "output t main.tf:4 dead"],
    ),
    "an output that another state reads": (
        {"main.tf": LITERAL + OUTPUT, "app/a.tf": "locals {\n  t = data.x.boot.outputs.locks\n}\n"},
        ["output locks main.tf:5", "reader locks app/a.tf:2"],
    ),
    "an output that a script asks for": (
        {"main.tf": LITERAL + OUTPUT, "bin/init": "t=$(terraform output -raw locks)\n"},
        ["output locks main.tf:5", "reader locks bin/init:1"],
    ),
    "a local, and a policy made of it": (
        {
            "main.tf": LITERAL + "locals {\n  arn = aws_dynamodb_table.locks.arn\n}\n",
            "iam.tf": 'data "aws_iam_policy_document" "ci" {\n  x = local.arn\n}\n',
        },
        ["local arn main.tf:6", "resource aws_iam_policy_document.ci iam.tf:1"],
    ),
    "an argument to a variable that is used": (
        {
            "main.tf": LITERAL + CALL % "  t = aws_dynamodb_table.locks.arn\n",
            "boot/main.tf": 'resource "aws_backup_selection" "all" {\n  x = [var.t]\n}\n',
        },
        ["argument module.boot.t main.tf:7", "resource aws_backup_selection.all boot/main.tf:1"],
    ),
    "an argument to nothing": (
        {"main.tf": LITERAL + CALL % "  t = aws_dynamodb_table.locks.arn\n"},
        ["argument module.boot.t main.tf:7 dead"],
    ),
    "what its name is made of": (
        {"main.tf": TABLE % "var.t" + 'variable "t" {}\n', "prod.tfvars": 't = "acme"\n'},
        ["variable t main.tf:5", "value t prod.tfvars:1"],
    ),
    "a table of the same name in another folder": (
        {"main.tf": LITERAL, "app/main.tf": OUTPUT},
        [],
    ),
    "of a public module only what is of its table": (
        {
            "main.tf": 'module "b" {\n  source = "cloudposse/tfstate-backend/aws"\n}\n'
            "locals {\n  t = module.b.dynamodb_table_name\n  s = module.b.s3_bucket_id\n}\n"
        },
        ["local t main.tf:5 dead"],
    ),
}


@pytest.mark.parametrize(("files", "expected"), CARRIERS.values(), ids=CARRIERS)
def test_what_carries_its_name(files: Mapping[str, str], expected: list[str]) -> None:
    (definition,) = definitions(files)
    assert [
        f"{one.kind} {one.name} {one.place}{'' if one.followed else ' dead'}" for one in definition.carriers
    ] == expected


def test_locals_in_a_circle_end() -> None:
    (definition,) = definitions(
        {"main.tf": LITERAL + "locals {\n  a = [aws_dynamodb_table.locks.arn, local.b]\n  b = local.a\n}\n"}
    )
    assert [one.name for one in definition.carriers] == ["a", "b"]
