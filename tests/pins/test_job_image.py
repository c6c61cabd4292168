import pytest

from migrate.pins import job_image
from tests.pins.pairs import pins

GITLAB = """\
default:
  image: $CI_REGISTRY_IMAGE/tools:latest
plan:
  script:
  - terraform init
apply:
  script: [terraform apply]
build:
  image: node:22
  script: [npm ci]
"""
CIRCLE = "jobs: {a: {docker: [{image: acme/ci:1}], steps: [{run: {command: terraform plan}}]}}\n"
DRONE = "steps:\n- {image: acme/ci, commands: [tofu apply]}\n- {image: acme/make, commands: [make apply]}\n"


@pytest.mark.parametrize(
    ("path", "text", "expected"),
    [
        (".gitlab-ci.yml", GITLAB, [("terraform", "$CI_REGISTRY_IMAGE/tools:latest runs terraform", 2)]),
        (
            ".gitlab-ci.yml",
            "plan:\n  image: {name: acme/ci, entrypoint: ['']}\n  script: [cd net, terragrunt plan]\n",
            [(None, "acme/ci runs terragrunt", 2)],
        ),
        (
            ".github/workflows/a.yml",
            "jobs:\n  a:\n    container: acme/ci:1\n    steps:\n    - run: terraform init\n",
            [("terraform", "acme/ci:1 runs terraform", 3)],
        ),
        (".circleci/config.yml", CIRCLE, [("terraform", "acme/ci:1 runs terraform", 1)]),
        (".drone.yml", DRONE, [("opentofu", "acme/ci runs opentofu", 2)]),
        # an image that says so, a release that is installed, and what touches no state
        (".gitlab-ci.yml", "image: hashicorp/terraform:1.9.8\nplan: {script: [terraform init]}\n", []),
        (".gitlab-ci.yml", "image: acme/ci:1\nplan: {script: [tfenv install, terraform init]}\n", []),
        (".gitlab-ci.yml", "image: acme/ci:1\nplan: {script: [apk add terraform, terraform init]}\n", []),
        (
            ".gitlab-ci.yml",
            "image: acme/ci:1\nlint: {script: [terraform fmt -check, terraform validate]}\n",
            [],
        ),
        (".gitlab-ci.yml", "plan: {script: [terraform init]}\n", []),
    ],
)
def test_finds(path: str, text: str, expected: list[tuple[str | None, str, int]]) -> None:
    why = ", and does not say which release"
    found = [(tool, said, line) for tool, said, _, line in pins(job_image, path, text)]
    assert found == [(tool, f"? {ran}{why}", line) for tool, ran, line in expected]
