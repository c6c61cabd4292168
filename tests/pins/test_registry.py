from pathlib import Path, PurePosixPath

import pytest

from migrate import pins
from migrate.model import Pin, Unknown
from migrate.pins import PINS, PinPlug
from migrate.plug import Late
from tests.pairs import assert_found
from tests.pins.pairs import source

FOLDER = Path(pins.__file__).parent
PATHS = [
    ".github/workflows/ci.yml",
    ".gitlab-ci.yml",
    ".circleci/config.yml",
    "atlantis.yaml",
    ".terraform-version",
    ".tfswitchrc",
    ".tool-versions",
    "mise.toml",
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
