import pytest

from migrate.pins import pipeline
from tests.pins.pairs import check, pins

GITLAB = """\
variables:
  TF_VERSION: 1.9.8
  KEEP: 1.0.0
.tofu: &tofu
  TOFU_VERSION: '1.8.1'
plan:
  variables:
    <<: *tofu
    TF_VERSION: $TF_VERSION
"""
CIRCLE = """\
parameters:
  tf:
    default: 1.9.8
jobs:
  plan:
    steps:
      - terraform/install:
          terraform_version: << pipeline.parameters.tf >>
"""
AZURE = """\
variables:
- name: terraformVersion
  value: 1.9.8
steps:
- task: TerraformInstaller@1
  inputs:
    terraformVersion: $(terraformVersion)
"""
PARAMETER = """\
parameters:
- {name: terraformVersion, type: string, default: 1.9.8}
steps:
- {task: UseNode@1, inputs: {version: 18.1.0}}
- task: TerraformInstaller@1
  inputs:
    terraformVersion: ${{ parameters.terraformVersion }}
"""
INPUT = """\
spec: {inputs: {tofu: {default: 1.8.1}}}
---
plan:
  variables: {TOFU_VERSION: "$[[ inputs.tofu ]]", TF_VERSION: $version}
  id_tokens: {version: 2.0.0}
"""
HELM = """\
environment:
- name: ATLANTIS_DEFAULT_TF_VERSION
  value: v1.9.8
"""
SPACELIFT = "settings:\n  spacelift:\n    terraform_version: 1.9.8\n"
CLOUDFORMATION = """\
Parameters:
  TerraformVersion:
    Type: String
    Default: 1.9.8
Variables:
- {Name: TOFU_VERSION, Value: 1.8.1}
"""
OF_GITLAB = "? .gitlab-ci.yml says $version, which is chosen at run time"
AT_RUN_TIME = "? plan.yml says ((tf_version)), which is chosen at run time"


@pytest.mark.parametrize(
    ("path", "text", "expected"),
    [
        (".gitlab-ci.yml", GITLAB, [("terraform", "1.9.8", ".", 2), ("opentofu", "1.8.1", ".", 5)]),
        (".circleci/config.yml", CIRCLE, [("terraform", "1.9.8", ".", 3)]),
        ("azure-pipelines.yml", AZURE, [("terraform", "1.9.8", ".", 3)]),
        ("azure-pipelines.yml", PARAMETER, [("terraform", "1.9.8", ".", 2)]),
        (
            ".gitlab-ci.yml",
            INPUT,
            [("opentofu", "1.8.1", ".", 1), ("terraform", OF_GITLAB, ".", 4)],
        ),
        ("ops/buildspec.yml", "env: {variables: {TF_VERSION: 1.9.8}}\n", [("terraform", "1.9.8", ".", 1)]),
        ("env0.yml", "terragruntVersion: 0.67.3\n", [("terragrunt", "0.67.3", ".", 1)]),
        ("roles/runner/defaults/main.yml", "terraform_version: 1.9.8\n", [("terraform", "1.9.8", ".", 1)]),
        ("stacks/net.yaml", SPACELIFT, [("terraform", "1.9.8", ".", 3)]),
        ("runner.yaml", CLOUDFORMATION, [("terraform", "1.9.8", ".", 4), ("opentofu", "1.8.1", ".", 6)]),
        (".spacelift/config.yml", "net:\n  terraform_version: 1.5.7\n", [("terraform", "1.5.7", ".", 2)]),
        ("charts/atlantis/values.yaml", HELM, [("terraform", "1.9.8", ".", 3)]),
        ("ci/plan.yml", "params:\n  TF_VERSION: ((tf_version))\n", [("terraform", AT_RUN_TIME, ".", 2)]),
        ("examples/app/.gitlab-ci.yml", "TF_VERSION: 1.9.8\n", [("terraform", "1.9.8", "examples", 1)]),
        (
            "versions.yml",
            "terraform: 1.5.7\nopentofu: 'v1.8'\ntofu: {version: 1.8.1}\nterraform-docs: 0.16.0\n",
            [("terraform", "1.5.7", ".", 1), ("opentofu", "1.8", ".", 2), ("opentofu", "1.8.1", ".", 3)],
        ),
        ("fogg.yml", '"defaults": {"terraform_version": "1.5.7"}\n', [("terraform", "1.5.7", ".", 1)]),
        ("stacks/net.yaml", "terraform: {vars: {version: 1.5.7}}\nterragrunt: 7\n", []),
        ("stacks/net.yaml", "dependencies: {tools: {terraform: 1.5.7}}\n", []),  # read as a listed tool
        ("ci/plan.yml", "TF_VAR_terraform_version: 1.9.8\nterraform_docs_version: 0.16\n", []),
    ],
)
def test_finds(path: str, text: str, expected: list[tuple[str, str, str, int]]) -> None:
    assert pins(pipeline, path, text) == expected


def test_changes() -> None:
    before = "variables: # ours\n    TF_VERSION:   '1.9.8'   # kept\n    TOFU_VERSION:\n      value: 1.9.8\n"
    check(pipeline, ".gitlab-ci.yml", before, before.replace("1.9.8", "1.11.4"))


def test_every_release_of_a_list() -> None:
    text = "x-terraform:\n  terraform_versions: [1.5.7, '1.9.8']\n  tflint_versions: [0.50.0]\n"
    assert pins(pipeline, "build.yml", text) == [
        ("terraform", "1.5.7", ".", 2),
        ("terraform", "1.9.8", ".", 2),
    ]
