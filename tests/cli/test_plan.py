"""`tfrelock plan`: repositories in; where each state stands, what is next, and one merge order out."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.estates import BOTH, LOCKFILE, TABLE, Files, backend, facts, reader, run
from tests.repo import Repo

New = Callable[[str, Files], Repo]
Capture = pytest.CaptureFixture[str]

OLD = TABLE.replace(">= 1.11.0", ">= 1.5")
OTHER = backend("use_lockfile   = true", key="app.tfstate")


@pytest.mark.parametrize(
    ("files", "order"),
    [
        ({"a/main.tf": TABLE}, ["dual-lock", "retire"]),
        ({"a/main.tf": BOTH}, ["retire"]),
        ({"a/main.tf": LOCKFILE}, []),
        ({"a/main.tf": OLD}, ["pin", "dual-lock", "retire"]),
        ({"a/main.tf": BOTH, "b/main.tf": reader()}, ["readers", "retire"]),
        ({"a/main.tf": OLD, "b/main.tf": OTHER}, ["pin", "dual-lock", "retire", "retire"]),
    ],
)
def test_the_order_is_that_of_the_steps_and_of_what_they_need(
    files: Files, order: list[str], new_repo: New, capsys: Capture
) -> None:
    ran = run(capsys, "plan", "--format", "json", new_repo("net", files).path)
    assert [step.partition(":")[0] for step in json.loads(ran.out)["order"]] == order


def test_a_step_that_somebodys_word_opened_names_it(new_repo: New, capsys: Capture, tmp_path: Path) -> None:
    repo, config = new_repo("net", {"main.tf": TABLE}), tmp_path / "relock.yaml"
    config.write_text(facts("callers-may-lock"))
    ran = run(capsys, "plan", "--format", "json", "--config", config, repo.path)
    _, dual, _ = json.loads(ran.out)["states"][0]["steps"]
    assert (dual["phase"], dual["status"]) == ("dual-lock", "open")
    assert [(gate["gate"], gate["outcome"], gate["by"]) for gate in dual["because"]] == [
        ("callers-may-lock", "holds", "stated")
    ]
    table = " ".join(run(capsys, "plan", "--config", config, repo.path).out.split())
    assert "callers-may-lock is stated by platform@acme.example: canary run 8841 (until 2099-01-01)" in table
