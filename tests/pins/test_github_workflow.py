import pytest

from migrate.pins import github_workflow
from tests.pins.pairs import check, pins

WORKFLOW = """\
name: plan
on: push
env:
  TERRAFORM_VERSION: &tf "1.9.8"  # of all jobs
  OTHER: 1.0.0
jobs:
  plan:
    defaults:
      run:
        working-directory: net
    strategy:
      matrix:
        tofu: [1.8.1, '1.9.0']
    steps:
      - uses: hashicorp/setup-terraform@v3
        with:
          terraform_version: ${{ env.TERRAFORM_VERSION }}
      - uses: opentofu/setup-opentofu@v1
        with: {tofu_version: "${{ matrix.tofu }}"}
      - uses: gruntwork-io/terragrunt-action@v2
        with:
          tf_version: 1.5.7
          tg_version: '0.67.3'
  apply:
    uses: acme/ci/.github/workflows/apply.yml@main
    with:
      terraform-version: ~1.9.7
      directory: ${{ vars.DIRECTORY }}
"""


def test_finds() -> None:
    assert pins(github_workflow, ".github/workflows/plan.yml", WORKFLOW) == [
        ("terraform", "1.9.8", ".", 4),
        ("opentofu", "1.8.1", "net", 13),
        ("opentofu", "1.9.0", "net", 13),
        ("terraform", "1.5.7", "net", 22),
        ("terragrunt", "0.67.3", "net", 23),
        ("terraform", "~1.9.7", ".", 27),
    ]


def test_changes_the_token_and_nothing_else() -> None:
    after = WORKFLOW
    for old in ("1.9.8", "1.8.1", "1.9.0", "1.5.7", "0.67.3", "~1.9.7"):
        after = after.replace(old, "1.11.4")
    check(github_workflow, ".github/workflows/plan.yml", WORKFLOW, after)


STEPS = """\
runs:
  using: composite
  steps:
    - id: pin
      run: echo "value=$(cat .terraform-version)" >> "$GITHUB_OUTPUT"
    - id: api
      run: echo "value=$(curl -s https://versions.acme.example)" >> "$GITHUB_OUTPUT"
"""


@pytest.mark.parametrize(
    ("step", "expected"),
    [
        (
            "- uses: hashicorp/setup-terraform@v3",
            "? hashicorp/setup-terraform@v3 installs the newest release of the day",
        ),
        (
            "- {uses: acme/setup-opentofu@v1, with: {wrapper: no}}",
            "? acme/setup-opentofu@v1 installs the newest release of the day",
        ),
        ("- {uses: opentofu/setup-opentofu@v1, with: {tofu_version_file: .opentofu-version}}", None),
        ("- with: {terraform_version: latest}", "? action.yml says latest, which is chosen at run time"),
        (
            "- with: {terraform_version: '${{ vars.TF }}'}",
            "? action.yml says ${{ vars.TF }}, which is chosen at run time",
        ),
        ("- with: {terraform_version: '${{ steps.pin.outputs.value }}'}", None),
        (
            "- with: {terraform_version: '${{ steps.api.outputs.value }}'}",
            "? action.yml says ${{ steps.api.outputs.value }}, which is chosen at run time",
        ),
        ("- with: {terraform_version: 1.10}", "? 1.10 without quotes is the number 1.1 to YAML"),
        ("- uses: dflook/terraform-plan@v1", None),
        ("- {uses: a/setup-terraform@v3, with: &w {terraform_version: 1.9.8}}", "1.9.8"),
        ("- {uses: a/setup-terraform@v3, with: {<<: &w {terraform_version: 1.9.8}}}", "1.9.8"),
        ("- {with: {terraform_version: '>=0.12.0,<=0.12.5'}}", ">=0.12.0,<=0.12.5"),
    ],
)
def test_what_only_the_run_tells(step: str, expected: str | None) -> None:
    found = pins(github_workflow, ".github/actions/tf/action.yml", f"{STEPS}    {step}\n")
    assert [said for _, said, _, _ in found] == ([] if expected is None else [expected])


def test_an_input_is_followed_to_its_default() -> None:
    text = (
        "on:\n  workflow_call:\n    inputs:\n      terraform_version:\n        description: 1.0.0\n"
        "        default: 1.9.8\njobs:\n  plan:\n    steps:\n      - with:\n"
        "          terraform_version: ${{ inputs.terraform_version }}\n"
    )
    assert pins(github_workflow, ".github/workflows/plan.yml", text) == [("terraform", "1.9.8", ".", 6)]


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("inputs.version", ["1.5.7"]),
        ("env.version", ["1.4.6"]),
        ("matrix.version", ["1.3.9", "1.2.9"]),
        ("matrix.of.version", ["1.1.9"]),
        ("vars.version", ["? w.yml says ${{ vars.version }}, which is chosen at run time"]),
    ],
)
def test_an_expression_leads_to_no_key_of_that_name_elsewhere(expression: str, expected: list[str]) -> None:
    """The version of another action would be raised to a release of Terraform."""
    text = (
        "on: {workflow_call: {inputs: {version: {type: string, default: 1.5.7}}}}\n"
        "env: {version: 1.4.6}\njobs:\n  plan:\n    strategy:\n      matrix:\n"
        "        version: [1.3.9]\n        include: [{version: 1.2.9}]\n        of: [{version: 1.1.9}]\n"
        "    outputs: {terraform_version: '${{ steps.x.outputs.y }}'}\n    steps:\n"
        "      - {uses: acme/scan@v1, with: {version: 0.50.0}}\n"
        f"      - with: {{terraform_version: '${{{{ {expression} }}}}'}}\n"
    )
    found = pins(github_workflow, ".github/workflows/w.yml", text)
    assert [said for _, said, _, _ in found] == expected


def test_aliases_and_every_row_of_a_matrix() -> None:
    text = (
        "x: &old 1.8.0\njobs:\n  plan:\n    strategy:\n      matrix:\n        tf: ['1.5.7', 1.9]\n"
        "        include:\n          - {tf: 1.3.0, os: mac}\n        exclude:\n          - tf: 1.5.7\n"
        "    steps:\n      - with: {terraform_version: '${{ matrix.tf }}'}\n"
        "      - with:\n          tofu_version: *old\n"
    )
    assert pins(github_workflow, ".github/workflows/plan.yml", text) == [
        ("terraform", "1.5.7", ".", 6),
        ("terraform", "1.9", ".", 6),
        ("terraform", "1.3.0", ".", 8),
        ("terraform", "1.5.7", ".", 10),
        ("opentofu", "1.8.0", ".", 1),
    ]
    after = text.replace("1.5.7", "1.11.4").replace("1.9]", "1.11.4]").replace("1.3.0", "1.11.4")
    check(github_workflow, ".github/workflows/plan.yml", text, after.replace("1.8.0", "1.11.4"))


def test_a_number_that_would_lose_its_zero_is_quoted() -> None:
    check(github_workflow, "action.yml", "tofu_version: 1.9\n", 'tofu_version: "1.10"\n', "1.10")
    check(github_workflow, "action.yml", "tofu_version: '1.9'\n", "tofu_version: '1.10'\n", "1.10")
