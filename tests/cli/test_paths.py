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


NET, APP = "s3://acme-state/net.tfstate", "s3://acme-state/app.tfstate"
BESIDE: Files = {
    "net/main.tf": TABLE,
    "app/main.tf": TABLE.replace("net.tf", "app.tf"),
    "app/remote.tf": reader(),
    "app/table.tf": 'resource "aws_dynamodb_table" "locks" {\n  name = "l"\n  hash_key = "LockID"\n}\n',
    "ci/old.sh": "grep dynamodb_table backend.conf\n",
}


@pytest.mark.parametrize("command", ["audit", "plan"])
@pytest.mark.parametrize(
    ("only", "told"),
    [
        ([], [APP, NET]),
        (["--only", "net"], [NET]),
        (["--only", "app/main.tf"], [APP]),
        (["--only", "app/remote.tf"], [NET]),
        (["--only", "ci"], []),
    ],
)
def test_only_the_states_that_something_selected_touches_are_told(
    command: str, only: list[str], told: list[str], new_repo: New, capsys: Capture
) -> None:
    ran = run(capsys, command, "--format", "json", *only, new_repo("net", BESIDE).path)
    assert [state["id"] for state in json.loads(ran.out)["states"]] == told


def test_tables_and_mentions_are_told_where_they_are_selected(new_repo: New, capsys: Capture) -> None:
    repo = new_repo("net", BESIDE)
    whole, part = (run(capsys, "audit", *only, repo.path).out for only in ([], ["--only", "net"]))
    assert "MADE BY" in whole
    assert "ci/old.sh" in run(capsys, "audit", "--format", "json", repo.path).out
    assert "MADE BY" not in part
    assert part.endswith("1 state in 1 repository: 1 table; 1 reader\n")


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
