"""Findings as commands to GitHub's runner: at the right line, and never more commands than findings."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.estates import TABLE, run
from tests.repo import make

Capture = pytest.CaptureFixture[str]


def lines(folder: Path, capsys: Capture, *, notes: bool = False) -> list[str]:
    out = run(capsys, "audit", "--format", "github", folder).out.splitlines()
    return [line for line in out if notes or not line.startswith("::notice ")]


def test_each_finding_stands_at_its_line(tmp_path: Path, capsys: Capture) -> None:
    repo = make(tmp_path / "net", {"net/main.tf": "\n" + TABLE.replace(">= 1.11.0", ">= 1.5")})
    [line] = lines(repo.path, capsys)
    assert line.startswith(
        "::warning file=net/main.tf,line=3,title=floor-open::the constraint admits Terraform 1.10.5, the"
    )
    notes = [line for line in lines(repo.path, capsys, notes=True) if line.startswith("::notice ")]
    assert {note.partition(",title")[0] for note in notes} == {"::notice file=net/main.tf,line=5"}


def test_names_of_a_hostile_repository_are_no_commands(tmp_path: Path, capsys: Capture) -> None:
    name = "a,line=9::b%0A\n::error::c\r\n::warning::d"
    repo = make(tmp_path / "net", {f"{name}.tf": TABLE.replace(">= 1.11.0", ">= 1.5")})
    said = lines(repo.path, capsys, notes=True)
    assert {line.partition(" ")[0] for line in said} == {"::warning", "::notice"}
    file = r"a%2Cline=9%3A%3Ab%250A\n%3A%3Aerror%3A%3Ac\r\n%3A%3Awarning%3A%3Ad.tf"
    assert {line.partition("file=")[2].partition(",line")[0] for line in said} == {file}


def test_a_mistake_of_the_configuration_stands_at_its_line(tmp_path: Path, capsys: Capture) -> None:
    repo = make(tmp_path / "net", {".tfrelock.yaml": "exclude: []\nfacts: []\n"})
    [line] = lines(repo.path, capsys)
    assert line.startswith(
        "::error file=.tfrelock.yaml,line=2,title=unreadable::`facts` is for the operator's"
    )


def test_what_cannot_be_read_is_an_error(tmp_path: Path, capsys: Capture) -> None:
    repo = make(tmp_path / "net", {"main.tf": b"# \xff\n" + TABLE.encode()})
    [line] = lines(repo.path, capsys)
    assert line.startswith("::error file=main.tf,title=unreadable::not UTF-8: byte 0xff in line 1 ")
