"""Settings on a command line: edited, retired or told with the root whose `init` they are for."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.cli.estates import LOCKFILE, Files, backend, run
from tests.repo import Repo

New = Callable[[str, Files], Repo]
Capture = pytest.CaptureFixture[str]


def test_a_state_is_that_which_flags_give(new_repo: New, capsys: Capture) -> None:
    block = backend(key="made.tfstate")
    repo = new_repo("net", {"main.tf": block, "Makefile": "i:\n\tterraform init -backend-config=key=given\n"})
    ran = run(capsys, "audit", repo.path)
    assert "s3://acme-state/given" in ran.out
    assert "made.tfstate" not in ran.out


def test_a_table_that_only_flags_name_is_retired_with_them(new_repo: New, capsys: Capture) -> None:
    """Nothing of the first flag is left, and the second is told of under another number."""
    init, table = "\tterraform init -reconfigure", "-backend-config=dynamodb_table"
    lines = f"dev:\n{init} {table}=dev\n\nprod:\n{init} {table}=prod -backend-config=region=eu-west-1\n"
    repo = new_repo("net", {"main.tf": LOCKFILE, "Makefile": lines})
    ran = run(capsys, "edit", "--phase", "retire", "--force", "all are dual", "--write", repo.path)
    assert ran.code == 0
    after = f"dev:\n{init}\n\nprod:\n{init} -backend-config=region=eu-west-1\n"
    assert (repo.path / "Makefile").read_text() == after


def test_a_flag_whose_block_is_not_known_keeps_the_table(new_repo: New, capsys: Capture) -> None:
    repo = new_repo("net", {"ci/init.sh": "cd $DIR\nterraform init -backend-config=dynamodb_table=t\n"})
    ran = run(capsys, "edit", "--phase", "retire", "--force", "all are dual", "--write", repo.path)
    assert (ran.code, repo.git("status", "--short")) == (5, "")


@pytest.mark.parametrize("where", ["Makefile", "scripts/init.sh"])
def test_a_removed_argument_in_a_flag_is_told(new_repo: New, capsys: Capture, where: str) -> None:
    """Its own root's flags hold back the floor; those of a root that is not known are told beside."""
    command = "\tterraform init -backend-config=role_arn=$(ROLE)\n"
    old = backend().replace(">= 1.11.0", ">= 1.5")
    repo = new_repo("net", {"main.tf": old, where: f"init:\n{command}"})
    moved = run(capsys, "edit", "--phase", "assume-role", "--write", repo.path)
    assert (moved.out, moved.code) == ("", 5)
    assert f"{where}:2: role_arn: removed in Terraform 1.10, and not moved here" in moved.err
    assert (run(capsys, "edit", "--phase", "pin", repo.path).out == "") == (where == "Makefile")
