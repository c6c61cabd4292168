import time
from pathlib import Path, PurePosixPath

import pytest

from migrate import pins
from migrate.model import Pin, Suggestion, Unknown
from migrate.pins import PINS, PinPlug, answered
from migrate.plug import Late
from tests.pairs import assert_found, source
from tests.pins.pairs import is_shown, said

FOLDER = Path(pins.__file__).parent
PATHS = [
    ".github/workflows/ci.yml",
    ".gitlab-ci.yml",
    ".circleci/config.yml",
    "atlantis.yaml",
    "atlantis.tf",
    ".terraform-version",
    ".tfswitchrc",
    ".tool-versions",
    "mise.toml",
    ".prototools",
    "devbox.json",
    "mise.lock",
    "bin/.terraform-1.9.8.pkg",
    "pom.xml",
    "build.gradle",
    "pants.toml",
    "MODULE.bazel",
    "Dockerfile",
    "Makefile",
    "Jenkinsfile",
    "Brewfile",
    "renovate.json",
    ".devcontainer/devcontainer.json",
    "net/main.tf",
    "net/main.tf.json",
    "net/terragrunt.hcl",
]


def test_every_file_of_the_folder_is_a_pin() -> None:
    assert sorted(plug.NAME for plug in PINS) == sorted(
        path.stem for path in FOLDER.glob("*.py") if path.stem != "__init__"
    )


@pytest.mark.parametrize("plug", PINS, ids=lambda plug: plug.NAME)
def test_every_pin_is_found_by_something(plug: Late[Pin, str]) -> None:
    assert_found(plug)


@pytest.mark.parametrize("plug", PINS, ids=lambda plug: plug.NAME)
@pytest.mark.parametrize(
    "text",
    [
        "",
        "\n",
        "#",
        "\ufeff# none\n",
        "{{ if .x }}\n",
        "tools = {\n",
        '{"terraform":',
        "= " * 9_999,
        "[" * 9_999,
    ],
)
def test_no_text_makes_a_pin_fail(plug: PinPlug, text: str) -> None:
    claimed = [path for path in PATHS if plug.claims(PurePosixPath(path), b"")]
    assert claimed
    for path in claimed:
        assert all(isinstance(pin.version, Unknown) for pin in plug.find(source(path, text)).items)


@pytest.mark.parametrize(
    ("setting", "asking", "expected"),
    [
        (("compose.yml", "args: {TF_VERSION: 1.9.8}"), ("Dockerfile", "ARG TF_VERSION\n"), ["1.9.8"]),
        (("a.mk", "TOFU_VERSION=1.8.1"), ("Dockerfile", "ARG TF_VERSION\n"), ["1.8.1", "? TF_VERSION"]),
        (
            ("examples/a.mk", "TF_VERSION=1.9.8"),
            ("Dockerfile", "ARG TF_VERSION\n"),
            ["1.9.8", "? TF_VERSION"],
        ),
        (("a.mk", "TF_VERSION=latest"), ("Dockerfile", "ARG TF_VERSION\n"), ["? a.mk", "? TF_VERSION"]),
        (
            (".github/workflows/a.yml", "with: {terraform_version: 1.9.8}"),
            ("action.yml", "with: {terraform_version: '${{ inputs.terraform_version }}'}"),
            ["1.9.8"],
        ),
    ],
)
def test_a_variable_that_another_file_sets_is_no_question(
    setting: tuple[str, str], asking: tuple[str, str], expected: list[str]
) -> None:
    found = [
        pin
        for path, text in (setting, asking)
        for plug in PINS
        if plug.claims(PurePosixPath(path), b"")
        for pin in plug.find(source(path, text)).items
    ]
    assert [" ".join(said(pin).split()[:2]) for pin in answered(found)] == expected


@pytest.mark.parametrize(
    "words",
    [
        "apt ",
        "tfswitch -a ",
        "docker run ",
        "docker run \\\n",
        "hc-install ",
        "x/terraform:$A ",
        "x/terraform:$A\nA",
        "terraform-1$",
        "module load ",
        "a:1/",
        "-",
    ],
)
def test_no_text_takes_long(words: str) -> None:
    """A cost that grew with the square of the length would be five times what is allowed, and more."""
    text = source("ci.sh", words * (80_000 // len(words)))
    began = time.process_time()
    for plug in PINS:
        if plug.claims(text.path, b""):
            plug.find(text)
    assert time.process_time() - began < 3


@pytest.mark.parametrize(
    ("path", "text", "suggested"),
    [
        (
            ".github/workflows/a.yml",
            "jobs: {net: {uses: acme/ci/.github/workflows/terraform.yml@v1}}\n",
            "let it choose 1.11.4",
        ),
        (
            ".gitlab-ci.yml",
            "net: {image: 'acme/ci:3', script: [terraform plan]}\n",
            "an image with 1.11.4",
        ),
        ("Brewfile", 'brew "terraform"\n', "take a package set with 1.11.4"),
        (
            "renovate.json",
            '{"matchPackageNames": ["hashicorp/terraform"], "allowedVersions": "<1.10"}\n',
            "allow 1.11.4 and newer",
        ),
    ],
)
def test_what_no_edit_can_choose_is_suggested(path: str, text: str, suggested: str) -> None:
    given = source(path, text)
    shown = [plug for plug in PINS if plug.claims(given.path, b"") and is_shown(plug, given)]
    (answer,) = (
        plug.edit({given.path: given}, pin, "1.11.4") for plug in shown for pin in plug.find(given).items
    )
    assert isinstance(answer, Suggestion)
    assert answer.text == suggested
