"""Trees that are broken, odd or hostile: nothing of them runs, and what was not read is said."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from tests import permissions
from tests.cli.estates import TABLE, Files, run
from tests.git.plants import PLANTS, trap
from tests.repo import Repo

New = Callable[[str, Files], Repo]
Capture = pytest.CaptureFixture[str]


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (
            b"# \xe9\n" + TABLE.encode(),
            "not UTF-8: byte 0xe9 in line 1 (Latin-1 or Windows-1252?): save it as UTF-8",
        ),
        (TABLE.encode("utf-16"), "UTF-16 text, not UTF-8: save it as UTF-8"),
    ],
)
def test_a_file_that_is_not_utf_8_is_named_and_the_run_is_partial(
    data: bytes, why: str, new_repo: New, capsys: Capture
) -> None:
    repo = new_repo("net", {"main.tf": TABLE, "odd/main.tf": data})
    ran = run(capsys, "audit", "--format", "json", repo.path)
    report = json.loads(ran.out)
    assert ran.code == 5
    assert [(entry["path"], entry["why"]) for entry in report["unreadable"]] == [("odd/main.tf", why)]
    assert [site["path"] for site in report["sites"]] == ["main.tf"]


@pytest.mark.parametrize("format_", ["table", "json", "csv", "markdown"])
def test_a_name_never_reaches_the_terminal_as_it_is(format_: str, new_repo: New, capsys: Capture) -> None:
    repo = new_repo("net", {"esc\x1b[31m\n/main.tf": TABLE, "esc\x1b[31m\n/odd.tf": b"backend \xe9"})
    ran = run(capsys, "audit", "--format", format_, repo.path)
    assert "\x1b" not in ran.out + ran.err
    assert "main.tf" in ran.out


def test_a_real_file_is_one_site_however_many_links_lead_to_it(new_repo: New, capsys: Capture) -> None:
    repo = new_repo("net", {"common/backend.tf": TABLE})
    for name in ("a", "b"):
        (repo.path / name).mkdir()
        (repo.path / name / "backend.tf").symlink_to("../common/backend.tf")
    report = json.loads(run(capsys, "audit", "--format", "json", repo.path).out)
    assert [site["path"] for site in report["sites"]] == ["common/backend.tf"]


def test_an_edit_through_links_changes_the_real_file_once(new_repo: New, capsys: Capture) -> None:
    repo = new_repo("net", {"common/backend.tf": TABLE})
    (repo.path / "a").mkdir()
    (repo.path / "a/backend.tf").symlink_to("../common/backend.tf")
    repo.commit({})
    assert run(capsys, "edit", "--phase", "dual-lock", "--write", repo.path).code == 0
    assert repo.git("diff", "--name-only") == "common/backend.tf"
    assert (repo.path / "a/backend.tf").is_symlink()


def test_links_out_of_the_repository_and_pipes_are_left_and_said(
    new_repo: New, capsys: Capture, tmp_path: Path
) -> None:
    repo = new_repo("net", {"main.tf": TABLE})
    (tmp_path / "secret").mkdir()
    (tmp_path / "secret/main.tf").write_text(TABLE)
    (repo.path / "file.tf").symlink_to(tmp_path / "secret/main.tf")
    (repo.path / "folder").symlink_to("../secret")
    os.mkfifo(repo.path / "pipe.tf")
    ran = run(capsys, "audit", repo.path)
    assert "left out: 3 (file.tf: a symlink out of the repository" in ran.out + ran.err
    report = json.loads(run(capsys, "audit", "--format", "json", repo.path).out)
    assert [site["path"] for site in report["sites"]] == ["main.tf"]


def test_a_read_only_tree_is_said_and_nothing_is_written(new_repo: New, capsys: Capture) -> None:
    repo = new_repo("net", {"a/main.tf": TABLE, "b/main.tf": TABLE.replace("net.tf", "b.tf")})
    (repo.path / "b").chmod(0o555)
    with permissions.binding():
        ran = run(capsys, "edit", "--phase", "dual-lock", "--write", repo.path)
    (repo.path / "b").chmod(0o755)
    assert ran.code == 5
    words = "git.acme.example/acme/net b/main.tf: permission denied; nothing was written here"
    assert f"tfrelock: {words}\n" in ran.err
    assert repo.git("status", "--porcelain") == ""


COMMANDS = {
    "audit": ["audit", "--fail-on", "never"],
    "audit --base": ["audit", "--base", "main", "--fail-on", "never"],
    "plan": ["plan"],
    "edit": ["edit", "--phase", "dual-lock", "--write"],
}


@pytest.mark.parametrize("plant", PLANTS)
@pytest.mark.parametrize("command", COMMANDS)
def test_no_command_runs_what_a_checkout_plants(
    command: str, plant: str, new_repo: New, capsys: Capture, tmp_path: Path
) -> None:
    repo = new_repo("net", {"main.tf": TABLE, "lazy.tf": "lazy", "x.tf": "x"})
    program, marker = trap(tmp_path)
    PLANTS[plant].lay(repo.path, program)
    marker.unlink(missing_ok=True)
    ran = run(capsys, *COMMANDS[command], repo.path)
    assert not marker.exists()
    assert ran.code in (0, 5), ran.err
