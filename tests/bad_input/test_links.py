"""Symlinks: in the repository each leads to a file that is one site; out of it none is followed."""

from __future__ import annotations

import json
import os
from pathlib import Path

from tests.cli.desk import Capture, New
from tests.cli.estates import TABLE, run
from tests.repo import Repo


def linked(new_repo: New) -> Repo:
    """One file, and two roots that are links to it."""
    repo = new_repo("net", {"common/backend.tf": TABLE})
    for name in ("a", "b"):
        (repo.path / name).mkdir()
        (repo.path / name / "backend.tf").symlink_to("../common/backend.tf")
    repo.commit({})
    return repo


def test_a_real_file_is_one_site_however_many_links_lead_to_it(new_repo: New, capsys: Capture) -> None:
    ran = run(capsys, "audit", "--format", "json", linked(new_repo).path)
    assert ran.code == 2  # both roots write one state
    assert [site["path"] for site in json.loads(ran.out)["sites"]] == ["common/backend.tf"]


def test_an_edit_through_links_changes_the_real_file_once(new_repo: New, capsys: Capture) -> None:
    repo = linked(new_repo)
    ran = run(capsys, "edit", "--phase", "dual-lock", "--write", repo.path)
    assert (ran.code, ran.err.splitlines()[-1]) == (0, "wrote 1 file in git.acme.example/acme/net")
    assert repo.git("diff", "--name-only") == "common/backend.tf"
    assert (repo.path / "a/backend.tf").is_symlink()


def test_links_out_of_the_repository_and_pipes_are_left_and_said(
    new_repo: New, capsys: Capture, tmp_path: Path
) -> None:
    repo = new_repo("net", {})
    (tmp_path / "secret").mkdir()
    (tmp_path / "secret/main.tf").write_text(TABLE)
    (repo.path / "file.tf").symlink_to(tmp_path / "secret/main.tf")
    (repo.path / "folder").symlink_to("../secret")
    os.mkfifo(repo.path / "pipe.tf")
    audit = run(capsys, "audit", repo.path)
    assert audit.code == 0
    assert audit.out == (
        "no S3 backend, reader or lock table found\n"
        "left out: 3 (file.tf: a symlink out of the repository, …)\n"
    )
    edit = run(capsys, "edit", "--phase", "dual-lock", "--write", repo.path)
    assert edit.code == 0
    assert edit.err == (
        "left out git.acme.example/acme/net file.tf: a symlink out of the repository\n"
        "left out git.acme.example/acme/net folder: a symlink out of the repository\n"
        "left out git.acme.example/acme/net pipe.tf: a pipe, socket or device\n"
        "nothing to change for dual-lock\n"
    )
    assert (tmp_path / "secret/main.tf").read_text() == TABLE


def test_a_change_that_puts_a_link_out_of_the_repository_for_a_root_is_said(
    new_repo: New, capsys: Capture
) -> None:
    repo = new_repo("net", {"main.tf": TABLE})
    repo.branch("change")
    (repo.path / "main.tf").unlink()
    (repo.path / "main.tf").symlink_to("../elsewhere/main.tf")
    repo.commit({})
    ran = run(capsys, "audit", "--base", "main", repo.path)
    assert "left out: 1 (main.tf: a symlink out of the repository)" in ran.out
