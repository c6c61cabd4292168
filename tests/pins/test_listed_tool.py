import pytest

from migrate.pins import listed_tool
from tests.pins.pairs import check, pins

AQUA = """\
packages:
- name: hashicorp/terraform
  version: v1.9.8 # renovate: depName=hashicorp/terraform
- name: gruntwork-io/terragrunt@v0.67.3
- {name: cli/cli, version: v2.0.0}
"""
ATMOS = """\
terraform:
  dependencies:
    tools:
      opentofu: "1.8.1"
components:
  terraform:
    vpc:
      command: /usr/bin/terraform-1.5
      dependencies:
        tools: {hashicorp/terraform: "1.9.8", tflint: "0.50.0"}
    app:
      command: tofu
"""
CHART = "dependencies:\n- name: terraform\n  version: 0.1.0\n  repository: https://charts.acme.example\n"


@pytest.mark.parametrize(
    ("path", "text", "expected"),
    [
        ("aqua.yaml", AQUA, [("terraform", "1.9.8", 3)]),
        (
            "stacks/net.yaml",
            ATMOS,
            [
                ("opentofu", "1.8.1", 4),
                (
                    "terraform",
                    "? Atmos runs /usr/bin/terraform-1.5: which release that is only its name says",
                    8,
                ),
                ("terraform", "1.9.8", 10),
            ],
        ),
        (
            "stacks/net.yaml",
            'components:\n  terraform:\n    vpc:\n      required_version: ">= 1.5"\n',
            [("terraform", ">= 1.5", 4)],
        ),
        ("stacks/net.yaml", 'components:\n  helm:\n    vpc: {required_version: ">= 1.5"}\n', []),
        (".terrateam/config.yml", "engine:\n  name: tofu\n  version: 1.8.1\n", [("opentofu", "1.8.1", 3)]),
        (
            "values.yaml",
            "image:\n  repository: ghcr.io/opentofu/opentofu\n  tag: 1.8.1-minimal\n",
            [("opentofu", "? 1.8.1-minimal is a release in a flavour of its own", 3)],
        ),
        (
            "values.yaml",
            "image: {repository: hashicorp/terraform, tag: '1.9.8'}\n",
            [("terraform", "1.9.8", 1)],
        ),
        (
            ".github/workflows/ci.yml",
            "- uses: acme/install-release@v1\n  with:\n    repo: opentofu/opentofu\n    tag: v1.8.1\n",
            [("opentofu", "1.8.1", 4)],
        ),
        ("setup.yml", "tools:\n- name: terraform\n  version: 1.5.7\n", [("terraform", "1.5.7", 3)]),
        ("Chart.yaml", CHART, []),
        ("Chart.yaml", "name: terraform\nversion: 0.1.0\n", []),
    ],
)
def test_finds(path: str, text: str, expected: list[tuple[str, str, int]]) -> None:
    assert [(tool, version, line) for tool, version, _, line in pins(listed_tool, path, text)] == expected


def test_changes() -> None:
    check(listed_tool, "aqua.yaml", AQUA, AQUA.replace("v1.9.8", "v1.11.4"))
    check(listed_tool, "stacks/net.yaml", ATMOS, ATMOS.replace("1.9.8", "1.11.4").replace("1.8.1", "1.11.4"))
    before = 'terraform:\n  required_version: ">= 1.5, < 2" # Atmos\n'
    check(listed_tool, "stacks/net.yaml", before, before.replace("1.5", "1.11"), ">= 1.11, < 2")
