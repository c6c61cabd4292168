import pytest

from migrate.pins import image
from tests.pins.pairs import check, pins

BY_DIGEST = "is named by a digest, which does not say the release"
OF_GITLAB = "is an image of GitLab's, whose tag is that of its scripts"
OF_A_TEAM = "carries is known to those who build it"
FILLED = "the tag of hashicorp/terraform is filled in when it runs"


@pytest.mark.parametrize(
    ("path", "text", "expected"),
    [
        (
            ".gitlab-ci.yml",
            "image:\n  name: hashicorp/terraform:1.9.8\n  entrypoint: ['']\n",
            [("terraform", "1.9.8", ".", 2)],
        ),
        (
            ".gitlab-ci.yml",
            "plan:\n  image: $REGISTRY/acme-terraform:al2\n",
            [("terraform", f"? which release $REGISTRY/acme-terraform:al2 {OF_A_TEAM}", ".", 2)],
        ),
        (
            "deploy.yml",
            "image: ghcr.io/runatlantis/atlantis:v0.28.0@sha256:31f0\n",
            [(None, f"? which release ghcr.io/runatlantis/atlantis:v0.28.0@sha256:31f0 {OF_A_TEAM}", ".", 1)],
        ),
        ("deploy.yml", "image: runatlantis/atlantis:v0.28.0\nargs: [--default-tf-version=1.9.8]\n", []),
        ("deploy.yml", "image: ghcr.io/acme/atlantis-rocks:v0.28.0\n", []),
        (
            "runner.tfvars",
            'builder_image = "ghcr.io/acme/terraform-ci:3"\n',
            [("terraform", f"? which release ghcr.io/acme/terraform-ci:3 {OF_A_TEAM}", ".", 1)],
        ),
        (
            ".dagger/main.go",
            'import "dagger.io/dagger"\ndag.Container().From("hashicorp/terraform:1.9.8")\n',
            [("terraform", "1.9.8", ".", 2)],
        ),
        (
            ".gitlab-ci.yml",
            "image: hashicorp/terraform:light\n",
            [
                (
                    "terraform",
                    "? hashicorp/terraform:light is a tag that moves from release to release",
                    ".",
                    1,
                )
            ],
        ),
        (
            ".gitlab-ci.yml",
            "image: hashicorp/terraform:sha-31f0\n",
            [("terraform", "? hashicorp/terraform:sha-31f0 does not say which release it carries", ".", 1)],
        ),
        (
            ".gitlab-ci.yml",
            f"image: hashicorp/terraform@sha256:{'0' * 64}\n",
            [("terraform", f"? hashicorp/terraform {BY_DIGEST}", ".", 1)],
        ),
        (
            ".gitlab-ci.yml",
            f"image: hashicorp/terraform:1.9.8@sha256:{'0' * 64}\n",
            [("terraform", "1.9.8", ".", 1)],
        ),
        (
            ".github/workflows/ci.yml",
            "    container: ghcr.io/opentofu/opentofu:1.8\n    image: hashicorp/terraform\n",
            [
                ("opentofu", "1.8", ".", 1),
                ("terraform", "? hashicorp/terraform has no tag: the newest image of the day", ".", 2),
            ],
        ),
        (".circleci/config.yml", "- image: alpine/terragrunt:1.9.8\n", [("terraform", "1.9.8", ".", 1)]),
        ("Jenkinsfile", "image 'hashicorp/terraform:1.9.8'\n", [("terraform", "1.9.8", ".", 1)]),
        ("Makefile", "TF = docker run hashicorp/terraform:1.9.8\n", [("terraform", "1.9.8", ".", 1)]),
        (
            ".pre-commit-config.yaml",
            "    entry: hashicorp/terraform:1.9.8 fmt\n",
            [("terraform", "1.9.8", ".", 1)],
        ),
        (
            "ci.sh",
            "docker run acme.example/terragrunt:1.2.3\n",
            [(None, "? acme.example/terragrunt:1.2.3 does not say which engine it carries", ".", 1)],
        ),
        ("ci.sh", "TF_VERSION=1\ndocker run hashicorp/terraform:$TF_VERSION\n", []),  # a pin of its own there
        ("ci.sh", "docker run hashicorp/terraform:$TF_VERSION\n", [("terraform", f"? {FILLED}", ".", 1)]),
        (
            "ci.sh",
            "TAG=1.5.7\nTAG=1.9.8\ndocker run hashicorp/terraform:$TAG",
            [("terraform", f"? {FILLED}", ".", 3)],
        ),
        ("ci.sh", "docker run hashicorp/terraform:${TAG:-1.9.8}\n", [("terraform", "1.9.8", ".", 1)]),
        (
            "ci.sh",
            "docker run --rm \\\n  -v infra/terraform:/w \\\n  hashicorp/terraform init\n",
            [("terraform", "? hashicorp/terraform has no tag: the newest image of the day", ".", 3)],
        ),
        (".gitlab-ci.yml", "  # image: hashicorp/terraform:1.5.7\n", []),
        ("ci.sh", "TAG=1.9.8\ndocker run hashicorp/terraform:$TAG\n", [("terraform", "1.9.8", ".", 1)]),
        (
            ".gitlab-ci.yml",
            "variables:\n  TAG: '1.9'\nimage: hashicorp/terraform:${TAG}\n",
            [("terraform", "1.9", ".", 2)],
        ),
        ("ci.sh", "docker run hashicorp/terraform:${1}\n", [("terraform", f"? {FILLED}", ".", 1)]),
        ("ci.yml", "image: hashicorp/terraform:${{ inputs.tag }}\n", [("terraform", f"? {FILLED}", ".", 1)]),
        (
            ".gitlab-ci.yml",
            "image: registry.gitlab.com/gitlab-org/terraform-images/stable:latest\n",
            [("terraform", f"? gitlab-org/terraform-images/stable:latest {OF_GITLAB}", ".", 1)],
        ),
        ("ci.sh", "wget https://gitlab.com/gitlab-org/terraform-images/-/raw/main/a.sh\n", []),
        ("ci.sh", "git clone https://github.com/hashicorp/terraform\n", []),
        ("ci.sh", "-v /var/terraform:$TAG\n", []),
        (
            ".github/workflows/ci.yml",
            "- uses: docker://hashicorp/terraform:1.9.8\n  image: ${{ vars.R }}/opentofu/opentofu:1.8.1\n",
            [("terraform", "1.9.8", ".", 1), ("opentofu", "1.8.1", ".", 2)],
        ),
        (".gitlab-ci.yml", "image: ${REG}/hashicorp/terraform:1.9.8\n", [("terraform", "1.9.8", ".", 1)]),
        # images of a team: the first is of UKHomeOffice/dq-tf-infra
        (
            ".drone.yml",
            "  tg-image: &tg quay.io/acme/dq-docker-terragrunt:TGv0.54.4_TFv1.6.6\n  image: *tg\n",
            [
                (
                    None,
                    f"? which release quay.io/acme/dq-docker-terragrunt:TGv0.54.4_TFv1.6.6 {OF_A_TEAM}",
                    ".",
                    1,
                )
            ],
        ),
        (
            ".gitlab-ci.yml",
            "image: 'registry.acme.example:5000/terraform-ci@sha256:31f0'\n",
            [
                (
                    "terraform",
                    f"? which release registry.acme.example:5000/terraform-ci@sha256:31f0 {OF_A_TEAM}",
                    ".",
                    1,
                )
            ],
        ),
        ("deploy.yaml", "image: acme/terraform-provider-mirror:1\nname: acme/my-terraform:1\n", []),
    ],
)
def test_finds(path: str, text: str, expected: list[tuple[str | None, str, str, int]]) -> None:
    assert pins(image, path, text) == expected


def test_changes() -> None:
    before = "image: 'hashicorp/terraform:v1.9.8-alpine' # ours\n"
    check(image, ".gitlab-ci.yml", before, before.replace("1.9.8", "1.11.4"))
