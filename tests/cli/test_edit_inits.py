"""`tfrelock edit` of writers: the inits that a changed backend would break are mended with it."""

from __future__ import annotations

import json

import pytest

from tests.cli.desk import Capture, New
from tests.cli.estates import BOTH, TABLE, reader, run

WORKFLOW = """\
jobs:
  net:
    runs-on: [self-hosted]  # keeps its directories
    steps:
      - run: terraform -chdir=net init -input=false
      - run: terraform -chdir=docs init
  fresh:
    runs-on: ubuntu-latest
    steps:
      - run: terraform -chdir=net init
"""
MAKEFILE = "init:\n\tterraform init -upgrade # people\nplan:\n\tterraform init $(ARGS)\n"
EVERY_JOB = """\
cache: {paths: ["${TF_ROOT}/.terraform/"]}
before_script:
  - cd net
  - terraform init  # of every job
plan: {script: terraform plan}
apply: {script: terraform apply}
"""
CI = ".github/workflows/ci.yml"
FILES = {"net/main.tf": TABLE, CI: WORKFLOW, "net/Makefile": MAKEFILE}


def edited(capsys: Capture, path: object, *arguments: object) -> dict[str, str]:
    """The lines that each file gains."""
    ran = run(capsys, "edit", *arguments, "--format", "json", path)
    return {
        file["path"]: "\n".join(
            line for line in file["diff"].splitlines() if line[:1] == "+" and line[:3] != "+++"
        )
        for file in json.loads(ran.out)["files"]
    }


@pytest.mark.parametrize(
    ("phase", "files", "lines"),
    [
        (
            "dual-lock",
            FILES,
            {
                CI: "+      - run: terraform -chdir=net init -reconfigure -input=false",
                "net/Makefile": "+\tterraform init -reconfigure -upgrade # people",
                "net/main.tf": "+    use_lockfile   = true",
            },
        ),
        ("dual-lock", {**FILES, "net/main.tf": BOTH}, {}),
        (
            "readers",
            {**FILES, "net/main.tf": reader()},
            {"net/main.tf": '+    bucket = "acme-state"\n+    key    = "net.tfstate"'},
        ),
        (
            "dual-lock",
            {"net/main.tf": TABLE, ".gitlab-ci.yml": EVERY_JOB},
            {
                ".gitlab-ci.yml": "+  - terraform init -reconfigure  # of every job",
                "net/main.tf": "+    use_lockfile   = true",
            },
        ),
        (
            "dual-lock",
            {"net/main.tf": TABLE, "net/Makefile": "init:\n\tterraform init -migrate-state\n"},
            {"net/main.tf": "+    use_lockfile   = true"},
        ),
    ],
)
def test_lines(
    phase: str, files: dict[str, str], lines: dict[str, str], new_repo: New, capsys: Capture
) -> None:
    repo = new_repo("net", files)
    assert edited(capsys, repo.path, "--phase", phase) == lines


def test_what_may_hold_another_flag_is_told(new_repo: New, capsys: Capture) -> None:
    repo = new_repo("net", FILES)
    ran = run(capsys, "edit", "--phase", "dual-lock", "--write", repo.path)
    assert ran.code == 0
    assert "net/Makefile:4: what else this init is given is known when it runs" in ran.err
    assert (repo.path / "net/Makefile").read_text() == MAKEFILE.replace("init -up", "init -reconfigure -up")


def test_what_is_left_out_stays(new_repo: New, capsys: Capture) -> None:
    repo = new_repo("net", FILES)
    assert list(edited(capsys, repo.path, "--phase", "dual-lock", "--only", "net/main.tf")) == ["net/main.tf"]
