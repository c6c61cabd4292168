from pathlib import PurePosixPath

import pytest

from migrate.model import Refusal
from migrate.pins import assignment
from tests.pins.pairs import check, moved, pins

OF_ANOTHER = "may be TensorFlow's"
SEVERAL = "are several: which of them runs is not said"
CALLED = "is what the script is called with"


@pytest.mark.parametrize(
    ("path", "text", "expected"),
    [
        (".envrc", "export TF_VERSION='1.9.8'\n", [("terraform", "1.9.8", ".", 1)]),
        ("Makefile", "TERRAFORM_VERSION ?= 1.9.8\nX := 1\n", [("terraform", "1.9.8", ".", 1)]),
        ("plan.sh", "TOFU_VERSION=${TOFU_VERSION:-1.8.1}\n", [("opentofu", "1.8.1", ".", 1)]),
        ("Makefile", "x:\n\tdocker build --build-arg TF_VERSION=$(TF_VERSION) .\n", []),
        ("Makefile", "TF_VERSION := $(shell cat .terraform-version)\n", []),
        ("plan.sh", "OTHER=$1\nTF_VERSION=$OTHER\nTF_VERSION=$(cat .terraform-version)\n", []),
        ("plan.sh", 'TF_VERSION="${1}"\n', [("terraform", f"? TF_VERSION {CALLED}", ".", 1)]),
        ("plan.cmd", "set TF_VERSION=%1\n", [("terraform", f"? TF_VERSION {CALLED}", ".", 1)]),
        ("plan.cmd", "rem set TF_VERSION=1.5.7\nset TF_VER=1.9.8\n", [("terraform", "1.9.8", ".", 2)]),
        ("a.mk", "# TF_VERSION=1.5.7\nterraform_version :=1.9.8\n", [("terraform", "1.9.8", ".", 2)]),
        ("spacelift.auto.tfvars", 'opentofu_version = "1.8.1"\n', [("opentofu", "1.8.1", ".", 1)]),
        ("cdk/app.py", 'TF_VERSION = "1.9.8"\nif TF_VERSION >= "1.11":\n', [("terraform", "1.9.8", ".", 1)]),
        (
            "app.ts",
            "const tfVersion = version.next()\nlog('TF_VERSION=1.9.8\\n')\n",
            [("terraform", "1.9.8", ".", 2)],
        ),
        (".env", "TFENV_TERRAFORM_DEFAULT_VERSION=1.9.8\n", [("terraform", "1.9.8", ".", 1)]),
        ("docker-bake.hcl", 'args = { TERRAFORM_VERSION = "1.9.8" }\n', [("terraform", "1.9.8", ".", 1)]),
        ("a.ps1", '$TerraformVersion = "1.9.8"\n', [("terraform", "1.9.8", ".", 1)]),
        ("a.ps1", "$env:TOFU_VERSION='1.8.1'\n", [("opentofu", "1.8.1", ".", 1)]),
        ("a.sh", '[ $TF_VERSION = "1.5.7" ] || [[ "$TF_VERSION" == 1.5.7 ]]\n', []),
        ("run.sh", "atlantis server --default-tf-version=v1.9.8\n", [("terraform", "1.9.8", ".", 1)]),
        ("run.sh", "get-tofu --opentofu-version 1.8.1\n", [("opentofu", "1.8.1", ".", 1)]),
        (
            ".env",
            "VERSION_TOFU=1.8.1\nTERRAFORM=v1.5\n",
            [("opentofu", "1.8.1", ".", 1), ("terraform", "1.5", ".", 2)],
        ),
        ("live/engine.hcl", 'meta = {\n  tofu_version     = "1.6.0"\n}\n', [("opentofu", "1.6.0", ".", 2)]),
        (
            "train.sh",
            "TF_VERSION=1.9.8\npip install tensorflow==$TF_VERSION\n",
            [("terraform", "? TF_VERSION may be TensorFlow's", ".", 1)],
        ),
        ("app.fish", "set -gx TF_VERSION 1.9.8\n", [("terraform", "1.9.8", ".", 1)]),
        ("gradle.properties", "terraformVersion=1.9.8\n", [("terraform", "1.9.8", ".", 1)]),
        ("fogg.json", '{"defaults": {"terraform_version": "1.5.7"}}\n', [("terraform", "1.5.7", ".", 1)]),
        (
            "versions.json",
            '{"terraform": "1.5.7", "terraform-ls": "0.30.0"}\n',
            [("terraform", "1.5.7", ".", 1)],
        ),
        ("app.ts", "stack({ terraformVersion: '1.5.7' })\n", [("terraform", "1.5.7", ".", 1)]),
        ("ci.yml", 'run: |\n  [tools]\n  terraform = "1.5.7"\n', [("terraform", "1.5.7", ".", 3)]),
        (
            "plan.sh",
            "TF_VERSION=$(curl -s https://acme.example/tf)\n",
            [("terraform", "? TF_VERSION is what a command says when it runs", ".", 1)],
        ),
        (
            "build.sh",
            'AVAILABLE_TERRAFORM_VERSIONS="1.5.7 $TF 1.9.8"\n',
            [("terraform", f"? AVAILABLE_TERRAFORM_VERSIONS {SEVERAL}", ".", 1)],
        ),
        ("build.sh", "tf_versions=(\n  1.5.7\n)\n", [("terraform", f"? tf_versions {SEVERAL}", ".", 1)]),
        ("a.py", "tf_versions = read()\nterraform_versions = sorted([])\n", []),
        ("all.yml.j2", "{% if x %}\ntf_version: 1.9.8\n{% endif %}\n", [("terraform", "1.9.8", ".", 2)]),
        ("salt/init.sls", "terraform_version: 1.9.8\n", [("terraform", "1.9.8", ".", 1)]),
        ("a.pp", '$terraform_version = "1.9.8"\n', [("terraform", "1.9.8", ".", 1)]),
        ("atlantis.service", "Environment=TF_VERSION=1.9.8\n", [("terraform", "1.9.8", ".", 1)]),
        ("plan.sh", "TFLINT_VERSION=0.50.0\nTF_VERSION_FILE=1.0.0\n", []),
    ],
)
def test_finds(path: str, text: str, expected: list[tuple[str, str, str, int]]) -> None:
    assert pins(assignment, path, text) == expected


@pytest.mark.parametrize(
    ("path", "record"),
    [
        ("terraform.tfstate.json", '{"version": 4, "terraform_version": "1.5.7", "serial": 3}'),
        ("plan.json", '{"format_version": "1.2", "terraform_version": "1.5.7"}'),
        ("main.tf.json", '{"locals": {"terraform_version": "1.5.7"}}'),
        (".release-please-manifest.json", '{"terraform": "1.4.0"}'),
        ("package.json", '{"dependencies": {"terraform": "1.5.7"}}'),
    ],
)
def test_what_an_engine_has_written_chooses_none(path: str, record: str) -> None:
    assert not assignment.claims(PurePosixPath(path), record.encode())


def test_changes() -> None:
    before = 'export  TF_VERSION="v1.9.8"; echo # 1.9.8\n'
    check(assignment, "plan.sh", before, 'export  TF_VERSION="v1.11.4"; echo # 1.9.8\n')


def test_a_release_beside_its_checksum_is_refused() -> None:
    text = f"TF_VERSION=1.9.8\ncurl $URL/$TF_VERSION.zip\necho '{'0f' * 32}  tf.zip' | sha256sum -c\n"
    answer = moved(assignment, "plan.sh", text, "1.11.4")
    assert isinstance(answer, Refusal)
    assert answer.why == "a checksum of the old release stands in this file"
    check(assignment, "plan.sh", far := text.replace("curl", "#" * 400), far.replace("1.9.8", "1.11.4"))
