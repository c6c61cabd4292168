"""What PATHs mean: a part of a repository is reported and edited alone, and judged with the rest."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from tests.cli.estates import BOTH, TABLE, Files, facts, reader, run
from tests.repo import Repo

New = Callable[[str, Files], Repo]
Capture = pytest.CaptureFixture[str]


def test_a_path_in_a_repository_narrows_the_report(new_repo: New, capsys: Capture) -> None:
    repo = new_repo("net", {"net/main.tf": TABLE, "app/main.tf": reader()})
    ran = run(capsys, "audit", "--format", "json", repo.path / "net")
    assert [site["path"] for site in json.loads(ran.out)["sites"]] == ["net/main.tf"]


def test_a_path_in_a_repository_narrows_the_edit(new_repo: New, capsys: Capture) -> None:
    repo = new_repo("net", {"net/main.tf": TABLE, "app/main.tf": TABLE.replace("net.tf", "app.tf")})
    ran = run(capsys, "edit", "--phase", "dual-lock", "--write", repo.path / "app")
    assert ran.code == 0
    assert repo.git("diff", "--name-only") == "app/main.tf"


def test_what_is_not_meant_still_holds_a_step_back(new_repo: New, capsys: Capture, tmp_path: object) -> None:
    repo = new_repo("net", {"net/main.tf": BOTH, "app/main.tf": reader()})
    config = repo.path.parent / "relock.yaml"
    config.write_text(facts("soaked", "table-known"))
    ran = run(capsys, "edit", "--phase", "retire", repo.path / "net", "--config", config)
    assert ran.code == 4
    assert "gate readers-safe closed" in ran.err
