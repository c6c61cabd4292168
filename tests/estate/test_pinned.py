"""What runs in a pipeline without any choice of its release is a choice that nobody here knows."""

from __future__ import annotations

from pathlib import PurePosixPath
from typing import Final

import pytest

from migrate.estate import Survey, join
from migrate.model import Pin, Source
from migrate.pins import version_file
from migrate.pipelines import github_workflow, makefile
from tests.estate.world import NET, TABLE, site

JOB: Final = "jobs: {{a: {{runs-on: [self-hosted], steps: [{{run: {}}}]}}}}\n"


def chosen(command: str, version: str = "", path: str = ".github/workflows/a.yml") -> list[str]:
    """The pins of the root `net` where a file runs a command, and a version file above says a version."""
    text = JOB.format(command) if path.endswith(".yml") else f"a:\n\t{command}\n"
    plug = github_workflow if path.endswith(".yml") else makefile
    runs = plug.find(Source(NET, PurePosixPath(path), text)).items
    pins = version_file.find(Source(NET, PurePosixPath(".terraform-version"), version)).items
    (stack,) = join([Survey(NET, (site("net/main.tf", TABLE),), pins=pins, runs=runs)]).stacks
    return [_shown(pin) for backend in stack.backends for pin in backend.pins]


def _shown(pin: Pin) -> str:
    return f"{pin.path}:{pin.line} {pin.kind} {pin.engine}"


RUNNER: Final = [".github/workflows/a.yml:1 unknown terraform"]


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("terraform -chdir=net init", RUNNER),
        ("terraform -chdir=net apply", RUNNER),
        ("terraform -chdir=$ROOT plan", RUNNER),
        ("terraform -chdir=app init", []),
        ("terraform -chdir=net validate", []),
        ("tofu -chdir=net init", [".github/workflows/a.yml:1 unknown opentofu"]),
        ("terragrunt run-all apply", [".github/workflows/a.yml:1 unknown None"]),
    ],
)
def test_a_runner_may_have_any_release(command: str, expected: list[str]) -> None:
    assert chosen(command) == expected


def test_where_something_chooses_it_is_no_question() -> None:
    assert chosen("terraform -chdir=net init", version="1.11.4") == [".terraform-version:1 exact terraform"]


def test_people_and_examples_are_not_asked() -> None:
    assert chosen("terraform -chdir=net init", path="Makefile") == []
    assert chosen("terraform init", path="examples/.github/workflows/a.yml") == []
