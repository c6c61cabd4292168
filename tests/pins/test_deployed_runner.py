import pytest

from migrate.pins import deployed_runner
from tests.pins.pairs import check, pins


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('environment = {\n  ATLANTIS_DEFAULT_TF_VERSION = "1.7.0"\n}\n', [("1.7.0", 2)]),
        ('map = { ATLANTIS_DEFAULT_TF_VERSION : "v1.1.4" }\n', [("1.1.4", 1)]),
        ('{\n  name  = "ATLANTIS_DEFAULT_TF_VERSION"\n  value = "1.0.5"\n}\n', [("1.0.5", 3)]),
        ('{ "name": "ATLANTIS_DEFAULT_TF_VERSION", "value": "1.0.5" }\n', [("1.0.5", 1)]),
        ("ATLANTIS_DEFAULT_TF_VERSION = var.tf\n", [("? ATLANTIS_DEFAULT_TF_VERSION is var.tf", 1)]),
        ('  # ATLANTIS_DEFAULT_TF_VERSION = "1.7.0"\n', []),
        ('ATLANTIS_DEFAULT_TF_DISTRIBUTION = "opentofu"\n', []),
    ],
)
def test_finds(text: str, expected: list[tuple[str, int]]) -> None:
    assert pins(deployed_runner, "ops/atlantis.tf", text) == [
        ("terraform", said, ".", line) for said, line in expected
    ]


STACK = """\
resource "spacelift_stack" "net" {
  project_root      = "net"
  terraform_version = "1.9.8"
}
"""
FACTORY = """\
module "aft" {
  source            = "git::https://github.com/aws-ia/terraform-aws-control_tower_account_factory"
  terraform_version = "1.9.8"
}
"""
CODE_BUILD = """\
environment {
  image = "hashicorp/terraform:1.9.8"
  environment_variable {
    name  = "TG_VERSION"
    value = "0.67.3"
  }
}
"""


@pytest.mark.parametrize(
    ("path", "text", "expected"),
    [
        ("stacks.tf", STACK, [("terraform", "1.9.8", ".", 3)]),
        (
            "stacks.tf",
            STACK.replace("}", '  terraform_workflow_tool = "OPEN_TOFU"\n}'),
            [("opentofu", "1.9.8", ".", 3)],
        ),
        (
            "env0.tofu",
            'resource "env0_template" "net" {\n  opentofu_version = var.tofu\n}\n',
            [("opentofu", "? opentofu_version is var.tofu", ".", 2)],
        ),
        ("aft.tf", FACTORY, [("terraform", "1.9.8", ".", 3)]),
        ("build.tf", CODE_BUILD, [("terraform", "1.9.8", ".", 2), ("terragrunt", "0.67.3", ".", 5)]),
        ("examples/build.tf", CODE_BUILD[:50], [("terraform", "1.9.8", "examples", 2)]),
        ("task.json", '{"name": "TF_VERSION", "value": "1.9.8"}', [("terraform", "1.9.8", ".", 1)]),
        ("main.tf", 'resource "tfe_workspace" "net" {\n  terraform_version = "1.9.8"\n}\n', []),
        ("net.tfvars", 'TF_VERSION = "1.9.8"\n', []),  # an assignment
    ],
)
def test_finds_other_services(path: str, text: str, expected: list[tuple[str, str, str, int]]) -> None:
    assert pins(deployed_runner, path, text) == expected


def test_changes() -> None:
    before = '{\n  name  = "ATLANTIS_DEFAULT_TF_VERSION"\n  value = "1.0.5"  # ours\n}\n'
    check(deployed_runner, "atlantis.tf", before, before.replace("1.0.5", "1.11.4"))
