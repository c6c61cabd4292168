"""Partial configuration that serves something else too: never edited, and who else reads it is said."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.estates import TABLE, Files, backend, facts, run
from tests.repo import Repo

New = Callable[[str, Files], Repo]
Capture = pytest.CaptureFixture[str]

BLOCK = 'terraform {\n  backend "s3" {}\n}\n'
PARTIAL = 'bucket         = "acme-state"\nkey            = "net"\ndynamodb_table = "acme-locks"\n'
INIT = "init:\n\tterraform init -backend-config={file}\n"
REMEDY = "move the backend's arguments to a file of their own, and name that one in -backend-config"

SHARED = {
    "a file of variables": ("prod.tfvars", "plan:\n\tterraform plan -var-file=prod.tfvars\n", "Makefile:4"),
    "by a pattern": ("prod.tfvars", "plan:\n\tterraform plan -var-file=$(ENV).tfvars\n", "Makefile:4"),
    "the input of a script": ("prod.tfvars", "x:\n\tawk '/key/' prod.tfvars\n", "Makefile:4"),
    "loaded by itself": ("net.auto.tfvars", "", "Terraform"),
}


@pytest.mark.parametrize(("name", "other", "who"), SHARED.values(), ids=SHARED)
def test_a_file_that_something_else_reads_is_refused(
    name: str, other: str, who: str, new_repo: New, capsys: Capture
) -> None:
    repo = new_repo("net", {"main.tf": BLOCK, name: PARTIAL, "Makefile": INIT.format(file=name) + other})
    ran = run(capsys, "edit", "--phase", "dual-lock", "--write", repo.path)
    why = f"{who} reads this file as well: it is not backend configuration alone"
    assert (ran.code, (repo.path / name).read_text()) == (5, PARTIAL)
    assert f"{name}:1: {why} → {REMEDY}" in ran.err


ALONE = {
    "another file of the same ending": "plan:\n\tterraform plan -var-file=$(ENV).tfvars\n",
    "another folder": "plan:\n\tterraform plan -var-file=../app/prod.backend.tfvars\n",
    "a comment": "# terraform plan -var-file=prod.backend.tfvars\n",
}


@pytest.mark.parametrize("other", ALONE.values(), ids=ALONE)
def test_a_file_that_nothing_else_reads_is_edited(other: str, new_repo: New, capsys: Capture) -> None:
    name = "prod.backend.tfvars"
    repo = new_repo("net", {"main.tf": BLOCK, name: PARTIAL, "Makefile": INIT.format(file=name) + other})
    ran = run(capsys, "edit", "--phase", "dual-lock", "--write", repo.path)
    assert (ran.code, (repo.path / name).read_text()) == (0, f"{PARTIAL}use_lockfile   = true\n")


NAMED = {
    "backend.hcl": INIT.format(file="backend.hcl"),
    "cfg/prod": INIT.format(file="cfg/prod"),
    "prod.acme.backend": INIT.format(file="$(ENV).acme.backend"),
    "prod.backend.tfvars": "with:\n  backend_config_file: prod.backend.tfvars\n",
    "prod.backend": 'env:\n  TF_CLI_ARGS_init: "-backend-config=${{ inputs.tf-backend-config-file }}"\n'
    "with:\n  tf-backend-config-file: prod.backend\n",
}


@pytest.mark.parametrize(("name", "pipeline"), NAMED.items(), ids=NAMED)
def test_the_command_says_which_file_it_is(name: str, pipeline: str, new_repo: New, capsys: Capture) -> None:
    repo = new_repo("net", {"main.tf": BLOCK, name: PARTIAL.rstrip(), "ci.yml": pipeline})
    ran = run(capsys, "edit", "--phase", "dual-lock", "--write", repo.path)
    assert (ran.code, (repo.path / name).read_text()) == (0, f"{PARTIAL}use_lockfile   = true")


def test_every_file_of_a_root_changes_but_its_block_does_not(new_repo: New, capsys: Capture) -> None:
    given = {f"{name}.s3.tfbackend": PARTIAL.replace("net", name) for name in ("dev", "prod", "shared")}
    repo = new_repo("net", {**given, "main.tf": BLOCK})
    assert run(capsys, "edit", "--phase", "dual-lock", "--write", repo.path).code == 0
    wanted = {name: f"{text}use_lockfile   = true\n" for name, text in given.items()} | {"main.tf": BLOCK}
    assert {name: (repo.path / name).read_text() for name in wanted} == wanted


def test_a_file_without_a_lock_gets_one_if_that_is_asked_for(new_repo: New, capsys: Capture) -> None:
    unlocked = 'bucket  = "acme-state"\nkey     = "net"\nencrypt = true\n'
    files = {"main.tf": BLOCK, "prod.backend": unlocked, "Makefile": INIT.format(file="prod.backend")}
    repo = new_repo("net", files)
    run(capsys, "edit", "--phase", "dual-lock", "--write", repo.path)
    assert (repo.path / "prod.backend").read_text() == unlocked
    run(capsys, "edit", "--phase", "dual-lock", "--include-unlocked", "--write", repo.path)
    added = 'bucket       = "acme-state"\nkey          = "net"\nuse_lockfile = true\nencrypt      = true\n'
    assert (repo.path / "prod.backend").read_text() == added


def test_a_block_is_not_switched_on_for_a_state_of_which_nobody_asked(new_repo: New, capsys: Capture) -> None:
    """Of two files one names a table; the other's state is locked in the table by somebody else."""
    off = BLOCK.replace("{}", "{\n    use_lockfile = false\n  }")
    given = {"a.tfbackend": PARTIAL, "b.tfbackend": 'bucket = "acme-state"\nkey    = "b"\n'}
    repos = [new_repo("net", {"main.tf": off, **given}), new_repo("app", {"main.tf": backend(key="b")})]
    narrow = ("--only", "*net", *(repo.path for repo in repos))
    for asked in ((), ("--include-unlocked",)):
        ran = run(capsys, "edit", "--phase", "dual-lock", *asked, *narrow)
        assert ran.out == ""
        assert "main.tf:2: it " in ran.err


def test_files_that_are_copied_over_are_raised_each_for_itself(new_repo: New, capsys: Capture) -> None:
    """And both again: nothing."""
    given = {name: TABLE.replace(">= 1.11.0", ">= 1.5") for name in ("dev.tfvars", "prod.tfvars")}
    repo = new_repo("net", {**given, "main.tf": "locals {}\n"})
    for _ in range(2):
        run(capsys, "edit", "--phase", "pin", "--write", repo.path)
        assert [(repo.path / name).read_text().count('">= 1.11"') for name in given] == [1, 1]


def test_a_file_without_its_block_gives_up_the_table(new_repo: New, capsys: Capture, tmp_path: Path) -> None:
    roots = {"a/main.tf": BLOCK, "b/main.tf": BLOCK}
    repo = new_repo("net", {**roots, "env/net.tfbackend": f"{PARTIAL}use_lockfile   = true\n"})
    config = tmp_path / "relock.yaml"
    config.write_text(facts("soaked", "table-known"))
    ran = run(capsys, "edit", "--phase", "retire", "--write", "--config", config, repo.path)
    assert ran.code == 6, ran.err  # what the two blocks lock with is not known
    assert (repo.path / "env/net.tfbackend").read_text() == (
        'bucket       = "acme-state"\nkey          = "net"\nuse_lockfile = true\n'
    )


def test_a_star_names_the_files_of_many_roots_by_the_folder_of_each(new_repo: New, capsys: Capture) -> None:
    """One root has its block by a symlink: it is no less a root."""
    says = {".tfrelock.yaml": "backend_config:\n  live/*: [env/*.s3]\n", "live/a/main.tf": BLOCK}
    repo = new_repo("net", {**says, "env/a.s3": PARTIAL, "env/b.s3": PARTIAL.replace("net", "app")})
    (repo.path / "live/b").mkdir()
    (repo.path / "live/b/main.tf").symlink_to("../a/main.tf")
    repo.commit({})
    ran = run(capsys, "edit", "--phase", "dual-lock", "--write", repo.path)
    both = f"{PARTIAL}use_lockfile   = true\n"
    assert (ran.code, (repo.path / "env/a.s3").read_text()) == (0, both), ran.err
    assert (repo.path / "env/b.s3").read_text() == both.replace("net", "app")
