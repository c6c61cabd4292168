from migrate.model import Refusal
from migrate.pins import dockerfile
from tests.pins.pairs import check, moved, pins

TEXT = """\
ARG TERRAFORM_VERSION=1.9.8
ARG BASE="3.20"
FROM hashicorp/terraform:${TERRAFORM_VERSION} AS tf
FROM --platform=linux/amd64 registry.acme.example:5000/mirror/opentofu:1.8.1-minimal
FROM hashicorp/terraform
ENV TERRAGRUNT_VERSION 0.67.3
ENV TF_VERSION="1.9" TFLINT_VERSION=0.50.0 DEFAULT_TF_VERSION=${TERRAFORM_VERSION}
COPY --from=hashicorp/terraform:1.9.8@sha256:00ff /bin/terraform /bin/
"""


def test_finds() -> None:
    assert pins(dockerfile, "ops/Dockerfile", TEXT) == [
        ("opentofu", "1.8.1", ".", 4),
        ("terraform", "1.9.8", ".", 8),
        ("terraform", "? hashicorp/terraform has no tag: the newest image of the day", ".", 5),
        ("terraform", "1.9.8", ".", 1),
        ("terragrunt", "0.67.3", ".", 6),
        ("terraform", "1.9", ".", 7),
    ]


def test_changes() -> None:
    before = TEXT[: TEXT.index("COPY")]
    after = before.replace("N=1.9.8", "N=1.11.4").replace("1.8.1-m", "1.11.4-m").replace("0.67.3", "1.11.4")
    check(dockerfile, "Dockerfile", before, after.replace('"1.9"', '"1.11.4"'))


def test_an_image_by_its_digest_is_refused() -> None:
    answer = moved(dockerfile, "Dockerfile", TEXT, "1.11.4")
    assert isinstance(answer, Refusal)
    assert (answer.where.line, answer.why) == (8, "the image is held by a digest")


def test_a_release_beside_its_checksum_is_refused() -> None:
    text = f"ARG TF_VERSION=1.9.8\nARG TF_SHA256={'0f' * 32}\n"
    answer = moved(dockerfile, "Dockerfile", text, "1.11.4")
    assert isinstance(answer, Refusal)
    assert answer.remedy == "go to 1.11.4 with its checksum"


def test_an_argument_without_a_default_is_chosen_by_whoever_builds() -> None:
    stage = "ARG TOFU_VERSION\nARG BASE\nRUN x\n"
    text = f"ARG TF_VERSION\nARG TOFU_VERSION=1.8.1\nFROM hashicorp/terraform:$TF_VERSION\n{stage}"
    assert pins(dockerfile, "Dockerfile", text) == [
        ("opentofu", "1.8.1", ".", 2),
        ("terraform", "? TF_VERSION is given when the image is built", ".", 1),
    ]
