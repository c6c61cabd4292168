import time
from pathlib import Path, PurePosixPath

import pytest

from migrate import pipelines
from migrate.model import Run
from migrate.pipelines import PIPELINES, SCRIPTS, Pipeline, backend_config, distinct, makefile
from migrate.plug import LateFinder
from tests.pairs import assert_found, source

FOLDER = Path(pipelines.__file__).parent
PATHS = [
    ".github/workflows/ci.yml",
    ".gitlab-ci.yml",
    ".circleci/config.yml",
    "azure-pipelines.yml",
    "buildspec.yml",
    ".drone.yml",
    "cloudbuild.yaml",
    "Jenkinsfile",
    "Makefile",
    "deploy.sh",
    "Taskfile.yml",
    "package.json",
    "mise.toml",
    "atlantis.yaml",
    "Dockerfile",
    "noxfile.py",
    ".teamcity/Net.xml",
]


def test_every_file_of_the_folder_is_in_the_list() -> None:
    names = sorted(plug.NAME.replace("-", "_") for plug in PIPELINES)
    assert names == sorted(path.stem for path in FOLDER.glob("[!_]*.py"))


@pytest.mark.parametrize("plug", PIPELINES, ids=lambda plug: plug.NAME)
def test_every_kind_is_found_by_something(plug: LateFinder[Run]) -> None:
    assert_found(plug)


@pytest.mark.parametrize("plug", SCRIPTS, ids=lambda plug: plug.NAME)
@pytest.mark.parametrize(
    "text",
    [
        "",
        "\n",
        "jobs:\n  a:\n    steps: [",
        "steps:\n- run\n- run:\n",
        "\ufeff# none\n",
        "run: *x\n",
        "[" * 9_999,
    ],
)
def test_no_text_makes_a_kind_fail(plug: Pipeline, text: str) -> None:
    claimed = [path for path in PATHS if plug.claims(PurePosixPath(path), b"#!/bin/sh\n")]
    assert claimed
    for path in claimed:
        assert plug.find(source(path, text)).items == ()


def test_a_command_with_the_flag_is_one_run() -> None:
    given = source("Makefile", "init:\n\tterraform init -backend-config=dev.tfbackend\n")
    read = [*makefile.find(given).items, *backend_config.find(given).items]
    assert [(run.plug, run.backend_config) for run in distinct(read)] == [("makefile", ("dev.tfbackend",))]


def test_configuration_and_prose_run_nothing() -> None:
    nothing = [
        path for path in ("net/main.tf", "README.md", *PATHS) if pipelines.runs_nothing(PurePosixPath(path))
    ]
    assert nothing == ["net/main.tf", "README.md"]


@pytest.mark.parametrize("words", ["x=", "run = ", "${", "TF_CLI_ARGS=", "terraform ", "sh <<A\n"])
def test_no_text_takes_long(words: str) -> None:
    """A cost that grew with the square of the length would be many times what is allowed."""
    text = source("ci.sh", "terraform init\n" + words * (40_000 // len(words)))
    began = time.process_time()
    for plug in SCRIPTS:
        if plug.claims(text.path, b""):
            plug.find(text)
    assert time.process_time() - began < 3
