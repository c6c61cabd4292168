"""Files that stand together, trees without git or backends, and command lines that name nothing."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.estates import BOTH, LOCKFILE, TABLE, Files, backend, run
from tests.repo import Repo

New = Callable[[str, Files], Repo]
Capture = pytest.CaptureFixture[str]

OTHER_KEY = backend(key="app.tfstate")
ROOT = 'remote_state {\n  backend = "s3"\n  config = {\n    dynamodb_table = "l"\n  }\n}\n'
UNIT = (
    'include "root" {\n  path = find_in_parent_folders()\n}\n\n'
    'terraform {\n  source = "../modules/dynamodb_table"\n}\n'
)


BESIDE: dict[str, tuple[Files, str]] = {
    "an override replaces the whole block": ({"a.tf": TABLE, "a_override.tf": TABLE}, "a_override.tf"),
    "a .tofu file hides the .tf file of its stem from OpenTofu alone": (
        {"a.tf": TABLE, "a.tofu": TABLE},
        "a.tf a.tofu",
    ),
    "one root has moved before": ({"a/a.tf": LOCKFILE, "b/b.tf": OTHER_KEY}, "b/b.tf"),
    "a word about the setting sets nothing": (
        {"a.tf": TABLE, "known.json": '{"s3": {"dynamodb_table": [">= 0.9.7"]}}\n'},
        "a.tf",
    ),
    "what Terragrunt rendered stays": (
        {"a.tf": TABLE, "terragrunt_rendered.json": '{"remote_state": {"config": {"lock_table": "l"}}}\n'},
        "a.tf",
    ),
    "names of folders and modules are no locks": (
        {"terragrunt.hcl": ROOT, "dynamodb_table/terragrunt.hcl": UNIT},
        "terragrunt.hcl",
    ),
}


@pytest.mark.parametrize(("files", "edited"), BESIDE.values(), ids=BESIDE)
def test_what_changes_of_files_that_stand_together(
    files: Files, edited: str, new_repo: New, capsys: Capture
) -> None:
    repo = new_repo("net", files)
    assert run(capsys, "edit", "--phase", "dual-lock", "--write", repo.path).code == 0
    assert repo.git("diff", "--name-only").split() == edited.split()
    assert repo.git("diff", "--numstat").count("1\t0\t") == len(edited.split())


def test_a_folder_without_git_is_read_all_the_same(tmp_path: Path, capsys: Capture) -> None:
    (tmp_path / "plain").mkdir()
    (tmp_path / "plain/main.tf").write_text(TABLE)
    ran = run(capsys, "edit", "--phase", "dual-lock", "--write", tmp_path / "plain")
    assert (ran.code, (tmp_path / "plain/main.tf").read_text()) == (0, BOTH)


@pytest.mark.parametrize(
    ("paths", "code", "said"),
    [
        (["nowhere"], 3, "nowhere: no such file or directory"),
        ([".", "nowhere"], 3, "nowhere: no such file or directory"),
        (["--only", "nothing/*", "."], 3, "--only nothing/*: nothing that was found matches it"),
        (["--only", "*.tf", "--only", "n", "."], 3, "--only n: nothing that was found matches it"),
        (["--only", "main.tf", "."], 0, ""),
        (["--base", "main", "--only", "n", "."], 3, "--only n: nothing that was found matches it"),
        (["--config", "nowhere.yaml", "."], 64, "does not exist"),
    ],
)
def test_what_names_nothing(
    paths: list[str], code: int, said: str, new_repo: New, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    repo = new_repo("net", {"main.tf": BOTH})
    monkeypatch.chdir(repo.path)
    ran = run(capsys, "audit", *paths)
    assert (ran.code, said in ran.err) == (code, True)


def test_a_tree_without_backends_is_fine_and_says_so(new_repo: New, capsys: Capture) -> None:
    ran = run(capsys, "audit", new_repo("net", {"README": ""}).path)
    assert (ran.code, ran.out) == (0, "no S3 backend, reader or lock table found\n")


def test_a_report_that_cannot_be_written_is_an_error(new_repo: New, capsys: Capture, tmp_path: Path) -> None:
    repo = new_repo("net", {"main.tf": TABLE})
    blocked = tmp_path / "file"
    blocked.write_text("")
    ran = run(capsys, "audit", "--output", blocked / "report.json", repo.path)
    assert (ran.code, "name another file" in ran.err) == (1, True)


def test_a_submodule_and_downloaded_copies_are_left_out_and_said(new_repo: New, capsys: Capture) -> None:
    repo = new_repo("net", {"main.tf": TABLE, ".terraform/modules/x/main.tf": TABLE})
    inner = repo.path / "vendored"
    shutil.copytree(repo.path / ".git", inner / ".git")
    (inner / "main.tf").write_text(TABLE)
    ran = run(capsys, "audit", "--format", "json", repo.path)
    assert ran.out.count('"role": "writer"') == 1
    assert "left out: 2" in run(capsys, "audit", repo.path).out
