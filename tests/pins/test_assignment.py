import pytest

from migrate.pins import assignment
from tests.pins.pairs import check, pins


@pytest.mark.parametrize(
    ("path", "text", "expected"),
    [
        (".envrc", "export TF_VERSION='1.9.8'\n", [("terraform", "1.9.8", ".", 1)]),
        ("Makefile", "TERRAFORM_VERSION ?= 1.9.8\nX := 1\n", [("terraform", "1.9.8", ".", 1)]),
        ("plan.sh", "TOFU_VERSION=${TOFU_VERSION:-1.8.1}\n", [("opentofu", "1.8.1", ".", 1)]),
        ("Makefile", "TF_VERSION := $(shell cat .terraform-version)\n", []),
        ("plan.sh", "TF_VERSION=$1\nTF_VERSION=$(cat .terraform-version)\n", []),
        (
            "plan.sh",
            "TF_VERSION=$(curl -s https://acme.example/tf)\n",
            [("terraform", "? TF_VERSION is what a command says when it runs", ".", 1)],
        ),
        ("plan.sh", "TFLINT_VERSION=0.50.0\nTF_VERSION_FILE=1.0.0\n", []),
    ],
)
def test_finds(path: str, text: str, expected: list[tuple[str, str, str, int]]) -> None:
    assert pins(assignment, path, text) == expected


def test_changes() -> None:
    before = 'export  TF_VERSION="v1.9.8"; echo # 1.9.8\n'
    check(assignment, "plan.sh", before, 'export  TF_VERSION="v1.11.4"; echo # 1.9.8\n')
