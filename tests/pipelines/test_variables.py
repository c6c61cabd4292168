"""Commands in, the files of variables that they read out."""

from pathlib import PurePosixPath

import pytest

from migrate.pipelines import variables
from tests.pairs import source


@pytest.mark.parametrize(
    ("text", "targets"),
    [
        ("terraform plan -var-file=prod.tfvars\n", ["prod.tfvars"]),
        ("terraform plan -var-file prod.tfvars -out x\n", ["prod.tfvars"]),
        ('tofu plan -var-file="env/$ENV.tfvars"\n', ["env/*.tfvars"]),
        ('["plan", "-var-file", "prod.hcl"]\n', ["prod.hcl"]),
        ('arguments = ["-var-file=${get_terragrunt_dir()}/prod.tfvars"]\n', ["*/prod.tfvars"]),
        ("awk -F= '/bucket/ {print $2}' prod.tfvars\n", ["prod.tfvars"]),
        ("BUCKET=$(grep bucket env/prod.tfvars | cut -d= -f2)\n", ["env/prod.tfvars"]),
        ("source ./prod.tfvars\n", ["./prod.tfvars"]),
        ("while read -r line; do :; done < prod.tfvars\n", ["prod.tfvars"]),
        ("terraform init -backend-config=prod.tfvars\n", []),
        ("# terraform plan -var-file=prod.tfvars\n", []),
        ("cp prod.tfvars.example prod.tfvars\n", []),
        ("terraform plan -var-file=$FILE\n", []),
        ("terraform plan\n", []),
    ],
)
def test_finds_what_reads_a_file_of_variables(text: str, targets: list[str]) -> None:
    assert [link.target for link in variables.find(source("ci.sh", text)).links] == targets


def test_reads_no_documentation_and_no_code_of_terraform() -> None:
    claimed = [variables.claims(PurePosixPath(name), b"") for name in ("README.md", "main.tf", "Makefile")]
    assert claimed == [False, False, True]


@pytest.mark.parametrize("line", ["a" * 1_000_000, "$(" * 500_000, "${{" * 300_000, "< " * 500_000])
def test_a_line_of_a_megabyte_is_no_hang(line: str) -> None:
    text = f"cat {line} x.tfvars\nterraform plan -var-file={line}\n"
    assert variables.find(source("ci.sh", text)).items == ()
