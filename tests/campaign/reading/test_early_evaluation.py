"""Files of one directory in, what OpenTofu makes of the backend in it out."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import PurePosixPath

import pytest

from migrate.campaign.reading.early_evaluation import early_units
from migrate.campaign.reading.tree import Tree
from migrate.dialects import terraform
from migrate.estate import Survey, join
from migrate.model import Known, Run, Unknown
from migrate.text import Span
from tests.pairs import REPO, block, source

BLOCK = block("bucket = var.bucket", 'key = "${local.name}.t"', 'dynamodb_table = "${var.bucket}-locks"')
NAME = 'locals {\n  name = "net"\n}\n'
BUCKET = 'variable "bucket" {\n  default = "acme"\n}\n'


def state(files: Mapping[str, str], runs: tuple[Run, ...] = ()) -> tuple[str, str]:
    """The state of the backend in `main.tf` and the engine that is taken to read it."""
    sources = {PurePosixPath("net", name): source(f"net/{name}", text) for name, text in files.items()}
    sites = terraform.find(sources[PurePosixPath("net/main.tf")]).items
    tree = Tree(
        {path: one.text for path, one in sources.items()}, lambda path: None, lambda folder: list(files)
    )
    (stack,) = join([Survey(REPO, sites, units=early_units(sites, {}, tree, runs))]).stacks
    return str(stack.id).partition("#")[0].removeprefix("s3://"), stack.backends[0].engine


UNKNOWN = f"unresolved:{REPO}/net/main.tf"
CASES: dict[str, tuple[Mapping[str, str], str]] = {
    "a default": ({"main.tf": BLOCK + NAME + BUCKET}, "acme/net.t"),
    "in another file": ({"main.tf": BLOCK, "a.tf": NAME, "b.tofu": BUCKET}, "acme/net.t"),
    "a local of a variable": (
        {"main.tf": BLOCK + BUCKET, "a.tf": NAME.replace('"net"', '"${var.bucket}-net"')},
        "acme/acme-net.t",
    ),
    "set for everyone": (
        {"main.tf": BLOCK + NAME + BUCKET, "terraform.tfvars": 'bucket = "other"\n'},
        "other/net.t",
    ),
    "set over that": (
        {
            "main.tf": BLOCK + NAME + BUCKET,
            "terraform.tfvars": 'bucket = "other"\n',
            "b.auto.tfvars": 'bucket = "b"\n',
            "a.auto.tfvars": 'bucket = "a"\n',
        },
        "b/net.t",
    ),
    "chosen at every run": ({"main.tf": BLOCK + NAME + BUCKET, "prod.tfvars": 'bucket = "p"\n'}, UNKNOWN),
    "set in JSON": ({"main.tf": BLOCK + NAME + BUCKET, "terraform.tfvars.json": '{"bucket": "p"}'}, UNKNOWN),
    "set in JSON for something else": (
        {"main.tf": BLOCK + NAME + BUCKET, "terraform.tfvars.json": '{"other": "p"}'},
        "acme/net.t",
    ),
    "a default that is overridden": (
        {"main.tf": BLOCK + NAME + BUCKET, "a_override.tf": BUCKET.replace("acme", "new")},
        "new/net.t",
    ),
    "no default": ({"main.tf": BLOCK + NAME + 'variable "bucket" {\n  type = string\n}\n'}, UNKNOWN),
    "a file that another hides": ({"main.tf": BLOCK + NAME, "a.tf": BUCKET, "a.tofu": ""}, UNKNOWN),
    "a function of the cloud": (
        {"main.tf": BLOCK + BUCKET + NAME.replace('"net"', "data.x.y.name")},
        UNKNOWN,
    ),
    "locals that go round": ({"main.tf": BLOCK + BUCKET + "locals {\n  name = local.name\n}\n"}, UNKNOWN),
}


@pytest.mark.parametrize(("files", "wanted"), CASES.values(), ids=CASES)
def test_state(files: Mapping[str, str], wanted: str) -> None:
    assert state(files) == (wanted, "opentofu")


def test_a_backend_of_literals_is_not_looked_into() -> None:
    sites = terraform.find(source("net/main.tf", block('bucket = "{{ var.bucket }}"', 'key = "k"'))).items
    assert early_units(sites, {}, Tree({}, lambda path: None, lambda folder: [])) == {}


@pytest.mark.parametrize(
    ("arguments", "directory", "wanted"),
    [
        ("-var bucket=p", "net", UNKNOWN),
        ("-var=bucket=p", "", UNKNOWN),
        ("-var=other=p", "net", "acme/net.t"),
        ("-var=bucket=p", "app", "acme/net.t"),
        ("-var-file=../envs/dev.tfvars", "net", UNKNOWN),
        ("-var-file=envs/$ENV.tfvars", "net", UNKNOWN),
        ("-var-file=$ENV.tfvars", "net", "acme/net.t"),
        ("-var-file=./beside.tfvars", "net", "acme/net.t"),
    ],
)
def test_a_variable_that_a_run_sets_is_not_known(arguments: str, directory: str, wanted: str) -> None:
    where = Known(PurePosixPath(directory)) if directory else Unknown("not said")
    words = tuple(arguments.split())
    run = Run(REPO, PurePosixPath("ci.sh"), "script", "opentofu", "init", words, (), where, Span(0, 9), 1)
    files = {"main.tf": BLOCK + NAME + BUCKET, "beside.tfvars": 'other = "x"\n'}
    assert state(files, (run,))[0] == wanted


@pytest.mark.parametrize(
    ("file", "text", "wanted"),
    [
        (".envrc", "export TF_VAR_bucket=p\n", UNKNOWN),
        ("ci.yml", "env:\n  TF_VAR_bucket: p\n", UNKNOWN),
        ("ci.yml", "env:\n  TF_VAR_buckets: p\n", "acme/net.t"),
        ("README.md", "export TF_VAR_bucket=p\n", "acme/net.t"),
        ("terragrunt.hcl", 'inputs = {\n  bucket = "p"\n}\n', UNKNOWN),
        ("terragrunt.hcl", 'inputs = {\n  other = "p"\n}\n', "acme/net.t"),
        ("terragrunt.hcl", "inputs = merge(local.all, { other = 1 })\n", UNKNOWN),
        ("terragrunt.hcl", "inputs = {\n  (local.name) = 1\n}\n", UNKNOWN),
        ("terragrunt.hcl.json", '{"inputs": {"bucket": "p"}}', UNKNOWN),
        ("env.hcl", 'locals {\n  inputs = { bucket = "p" }\n}\n', "acme/net.t"),
        ("root.hcl", 'extra_arguments "a" {\n  env_vars = { TF_VAR_bucket = "p" }\n}\n', UNKNOWN),
        ("root.hcl", 'extra_arguments "a" {\n  optional_var_files = ["p.tfvars"]\n}\n', UNKNOWN),
        ("root.hcl", 'extra_arguments "a" {\n  arguments = ["-var", "bucket=p"]\n}\n', UNKNOWN),
        ("atmos.yaml", "components:\n  terraform:\n    command: tofu\n", UNKNOWN),
    ],
)
def test_a_variable_that_an_environment_or_a_wrapper_sets_is_not_known(
    file: str, text: str, wanted: str
) -> None:
    assert state({"main.tf": BLOCK + NAME + BUCKET, file: text})[0] == wanted
