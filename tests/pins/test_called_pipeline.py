import pytest

from migrate.pins import called_pipeline
from tests.pins.pairs import pins

WORKFLOW = "acme/ci/.github/workflows/terraform-apply.yml@v1"


@pytest.mark.parametrize(
    ("path", "text", "expected"),
    [
        (".github/workflows/a.yml", f"jobs: {{a: {{uses: {WORKFLOW}}}}}", [("terraform", WORKFLOW)]),
        (
            ".github/workflows/a.yml",
            "jobs: {a: {uses: acme/tofu-ci/.github/workflows/apply.yml@v1, with: {dir: net}}}",
            [("opentofu", "acme/tofu-ci/.github/workflows/apply.yml@v1")],
        ),
        (
            ".gitlab-ci.yml",
            "include:\n- {project: acme/ci, file: [/tf/plan.yml, /node/build.yml]}\n- {remote: https://a/terragrunt.yml}\n",
            [("terraform", "/tf/plan.yml"), (None, "https://a/terragrunt.yml")],
        ),
        (
            "azure-pipelines.yml",
            "stages:\n- {template: terraform/apply.yml@templates, parameters: {dir: net}}\n",
            [("terraform", "terraform/apply.yml@templates")],
        ),
        # told a version, which is a pin of its own
        (
            ".github/workflows/a.yml",
            f"jobs: {{a: {{uses: {WORKFLOW}, with: {{terraform_version: 1.9.8}}}}}}",
            [],
        ),
        # of this repository, and what touches no state
        (".github/workflows/a.yml", "jobs: {a: {uses: ./.github/workflows/terraform.yml}}", []),
        (".github/workflows/a.yml", "jobs: {a: {uses: acme/ci/.github/workflows/terraform-docs.yml@v1}}", []),
        ("azure-pipelines.yml", "stages: [{template: terraform/apply.yml}]\n", []),
        (".github/workflows/a.yml", "jobs: {a: {uses: acme/ci/.github/workflows/build.yml@v1}}", []),
    ],
)
def test_finds(path: str, text: str, expected: list[tuple[str | None, str]]) -> None:
    why = " chooses the release, and is told none"
    found = [(tool, said.removeprefix("? ")) for tool, said, _, _ in pins(called_pipeline, path, text)]
    assert found == [(tool, called + why) for tool, called in expected]
