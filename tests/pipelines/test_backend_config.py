from pathlib import PurePosixPath

import pytest

from migrate.model import Known, RepoId, Source
from migrate.pipelines import backend_config


def found(text: str, path: str = "Makefile") -> list[tuple[str, tuple[str, ...]]]:
    source = Source(RepoId("acme/net"), PurePosixPath(path), text)
    return [(run.command, run.backend_config) for run in backend_config.find(source).items]


@pytest.mark.parametrize(
    ("text", "runs"),
    [
        ("terraform init -backend-config=dev.tfbackend\n", [("init", ("dev.tfbackend",))]),
        ("terraform init -backend-config dev.hcl -input=false\n", [("init", ("dev.hcl",))]),
        ('tofu init -backend-config="env/dev.hcl"\n', [("init", ("env/dev.hcl",))]),
        (
            "terraform init \\\n  -backend-config=a.hcl \\\n  -backend-config=key=x\n",
            [("init", ("a.hcl", "key=x"))],
        ),
        ("terraform init \\\r\n  -backend-config=a.hcl\r\n", [("init", ("a.hcl",))]),
        ('args: ["init", "-backend-config=a.hcl"]\n', [("", ("a.hcl",))]),
        ('["init", "-backend-config", "a.hcl"]\n', [("", ("a.hcl",))]),
        ("terraform plan\nterraform init -backend-config=a.hcl\n", [("init", ("a.hcl",))]),
        ("terraform plan\n", []),
    ],
)
def test_finds_each_command_and_its_values(text: str, runs: list[tuple[str, tuple[str, ...]]]) -> None:
    assert found(text) == runs


@pytest.mark.parametrize(
    ("text", "targets"),
    [
        ("terraform init -backend-config=dev.tfbackend\n", ["dev.tfbackend"]),
        ("terraform init -backend-config=$ENV.tfbackend\n", ["*.tfbackend"]),
        ('terraform init -backend-config="${ENV}.${STACK}.backend"\n', ["*.*.backend"]),
        ("terraform init -backend-config=config/${{ inputs.env }}.hcl\n", ["config/*.hcl"]),
        ('F="${ENV}.backend"\nterraform init -backend-config "$F"\n', ["*.backend"]),
        ("terraform init -backend-config=$F\n", []),
        ("terraform init -backend-config=$A.$B\n", []),
        ("with:\n  backend_config_file: net/prod.backend.tfvars\n", ["net/prod.backend.tfvars"]),
        ('backend_config_file_name = "backend.tf"\n', []),
        ("  tf-backend-config-file: staging.s3.tfbackend\n", ["staging.s3.tfbackend"]),
        ("terraform init -backend-config=key=net.tfstate\n", []),
        ("terraform init -backend-config=<FILE>\n", []),
    ],
)
def test_follows_only_what_is_literally_a_file(text: str, targets: list[str]) -> None:
    source = Source(RepoId("acme/net"), PurePosixPath("ci.sh"), text)
    assert [link.target for link in backend_config.find(source).links] == targets


def test_knows_the_directory_that_chdir_names() -> None:
    source = Source(
        RepoId("acme/net"), PurePosixPath("ci.sh"), "terraform -chdir=net init -backend-config=a.hcl\n"
    )
    (run,) = backend_config.find(source).items
    assert run.directory == Known(PurePosixPath("net"))


def test_reads_no_documentation() -> None:
    assert not backend_config.claims(PurePosixPath("README.md"), b"")


def test_a_line_of_a_megabyte_takes_one_pass() -> None:
    assert found("a\\" * 500_000 + " -backend-config=a.hcl\n") == [("", ("a.hcl",))]
