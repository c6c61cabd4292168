"""Files and command lines that are not as they should be: message, exit code, and nothing lost."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from tests import permissions
from tests.cli.estates import BOTH, LOCKFILE, TABLE, Files, backend, run
from tests.repo import Repo

New = Callable[[str, Files], Repo]
Capture = pytest.CaptureFixture[str]

ONE_LINE = 'terraform {\n  backend "s3" { dynamodb_table = "acme-locks" }\n}\n'
OTHER_KEY = backend(key="app.tfstate")
ROOT = 'remote_state {\n  backend = "s3"\n  config = {\n    dynamodb_table = "l"\n  }\n}\n'
UNIT = (
    'include "root" {\n  path = find_in_parent_folders()\n}\n\n'
    'terraform {\n  source = "../modules/dynamodb_table"\n}\n'
)
ADDED = "+    use_lockfile   = true"


@pytest.mark.parametrize(
    ("text", "audited", "written", "said"),
    [
        (TABLE.replace('"acme-locks"', '"acme-locks').encode(), 2, 5, "main.tf:8: this is no HCL"),
        (TABLE[:-3].encode(), 2, 5, "main.tf:1: this is no HCL"),
        (b"{% if oss %}\n" + TABLE.encode() + b"{% endif %}\n", 2, 5, "main.tf:1: this is a template"),
        (
            backend('dynamodb_table = "other"').encode(),
            2,
            5,
            "main.tf:4: dynamodb_table stands twice in one block: Terraform rejects it",
        ),
    ],
    ids=["a quote missing", "a brace missing", "a template", "an argument twice"],
)
def test_a_file_that_cannot_be_read_is_named_and_left_alone(
    text: bytes, audited: int, written: int, said: str, new_repo: New, capsys: Capture
) -> None:
    repo = new_repo("net", {"main.tf": text})
    audit = run(capsys, "audit", repo.path)
    edit = run(capsys, "edit", "--phase", "dual-lock", "--write", repo.path)
    assert (audit.code, edit.code) == (audited, written)
    assert said in edit.err
    assert said.partition(": ")[2] in audit.out
    assert (repo.path / "main.tf").read_bytes() == text


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (TABLE.replace("\n", "\r\n"), BOTH.replace("\n", "\r\n")),
        ("\ufeff" + TABLE, "\ufeff" + BOTH),
        ("\ufeff" + TABLE.replace("\n", "\r\n"), "\ufeff" + BOTH.replace("\n", "\r\n")),
        (TABLE.removesuffix("\n"), BOTH.removesuffix("\n")),
        (TABLE.replace("\n    ", "\n\t\t"), BOTH.replace("\n    ", "\n\t\t")),
        (
            ONE_LINE,
            ONE_LINE.replace("{ ", "{\n    ").replace(" }", "\n    use_lockfile   = true\n  }"),
        ),
    ],
    ids=["CRLF", "BOM", "both of them", "no final newline", "tabs", "a one-line block"],
)
def test_odd_but_valid_files_keep_their_bytes(
    before: str, after: str, new_repo: New, capsys: Capture
) -> None:
    repo = new_repo("net", {"main.tf": before.encode()})
    assert run(capsys, "edit", "--phase", "dual-lock", "--write", repo.path).code == 0
    assert (repo.path / "main.tf").read_bytes().decode() == after


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


def test_an_unreadable_file_is_partial(new_repo: New, capsys: Capture) -> None:
    repo = new_repo("net", {"main.tf": TABLE, "other.tf": TABLE})
    (repo.path / "other.tf").chmod(0)
    with permissions.binding():
        ran = run(capsys, "audit", repo.path)
    assert ran.code == 5
    assert "unreadable: acme/net" in ran.out or "other.tf" in ran.out
    assert "no permission" in ran.out.lower() or "permission" in ran.out.lower()


def test_a_detached_head_no_remote_and_a_dirty_tree_are_no_hindrance(new_repo: New, capsys: Capture) -> None:
    repo = new_repo("net", {"main.tf": TABLE})
    repo.git("remote", "remove", "origin")
    repo.git("checkout", "--quiet", "--detach")
    repo.write({"other.tf": "# a word\n"})
    ran = run(capsys, "edit", "--phase", "dual-lock", repo.path)
    assert (ran.code, ADDED in ran.out) == (0, True)


def test_a_folder_without_git_is_read_all_the_same(tmp_path: Path, capsys: Capture) -> None:
    (tmp_path / "plain").mkdir()
    (tmp_path / "plain/main.tf").write_text(TABLE)
    ran = run(capsys, "edit", "--phase", "dual-lock", "--write", tmp_path / "plain")
    assert (ran.code, (tmp_path / "plain/main.tf").read_text()) == (0, BOTH)


def test_without_git_everything_but_git_works(
    new_repo: New, capsys: Capture, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    repo = new_repo("net", {"main.tf": TABLE})
    (tmp_path / "bin").mkdir()
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    assert run(capsys, "audit", "--fail-on", "error", repo.path).code == 0
    based = run(capsys, "audit", "--base", "main", repo.path)
    assert (based.code, "git" in based.err) == (1, True)


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


@pytest.mark.parametrize(
    "says",
    [
        "aws: [{buckets: ['*'], profile: admin}]",
        "facts: [{that: soaked, of: {bucket: '*'}, by: me, because: yes, until: 2099-01-01}]",
        "forge: https://forge.attacker.example",
        "role: arn:aws:iam::111122223333:role/admin",
    ],
)
def test_a_repository_may_name_no_endpoint_forge_role_or_fact(
    says: str, new_repo: New, capsys: Capture
) -> None:
    repo = new_repo("net", {"main.tf": BOTH, ".tfrelock.yaml": says + "\n"})
    ran = run(capsys, "audit", repo.path)
    assert ran.code == 5
    assert ".tfrelock.yaml" in ran.out
    assert "line 1" in ran.out
    assert run(capsys, "edit", "--phase", "retire", repo.path).out == ""


def test_a_change_cannot_waive_itself(new_repo: New, capsys: Capture) -> None:
    repo = new_repo("net", {"main.tf": TABLE})
    repo.branch("change")
    swapped = backend("use_lockfile   = true", table="").replace(
        '  backend "s3"', '  # tfrelock: ignore[one-step-swap] trust me until=2099-01-01\n  backend "s3"'
    )
    repo.commit({"main.tf": swapped})
    ran = run(capsys, "audit", "--base", "main", repo.path)
    assert (ran.code, "one-step-swap" in ran.out) == (2, True)


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
