"""What is stated and what was seen, and that what has ended counts no more."""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.estates import TABLE, Files, facts, run
from tests.repo import Repo

New = Callable[[str, Files], Repo]
Capture = pytest.CaptureFixture[str]


def edit(capsys: Capture, repo: Repo, *options: object) -> list[str]:
    """What gates say of the dual lock."""
    ran = run(capsys, "edit", "--phase", "dual-lock", repo.path, *options)
    return [line for line in ran.err.splitlines() if "callers-may-lock" in line or "tfrelock:" in line]


def seen(folder: Path, hours: int, holds: str) -> Path:
    at = dt.datetime.now(dt.UTC) - dt.timedelta(hours=hours)
    fact = {
        "that": "callers-may-lock",
        "state": "s3://acme-state/net.tfstate",
        "holds": holds,
        "role": "ci",
        "at": at.isoformat(),
        "because": "asked",
    }
    folder.mkdir()
    (folder / "ci.json").write_text(json.dumps({"schema": "tfrelock.fact/1", "facts": [fact]}))
    return folder


STATE = "facts: what a person states in the file given by --config; tfrelock explain"
SAID = "platform@acme.example: canary run 8841 (until 2099-01-01)"


def test_a_statement_counts_up_to_its_day(new_repo: New, capsys: Capture, tmp_path: Path) -> None:
    repo, config = new_repo("net", {"main.tf": TABLE}), tmp_path / "relock.yaml"
    config.write_text(facts("callers-may-lock"))
    assert edit(capsys, repo, "--config", config) == [
        f"gate callers-may-lock open, stated (s3://acme-state/net.tfstate): {SAID}"
    ]
    config.write_text(facts("callers-may-lock").replace("2099-01-01", "2020-01-01"))
    ended, gate, how = edit(capsys, repo, "--config", config)
    assert ended == "tfrelock: relock.yaml:6: ended on 2020-01-01 and counts no more"
    assert gate.startswith("gate callers-may-lock unknown")
    assert how == f"{STATE} callers-may-lock shows how"


@pytest.mark.parametrize(
    ("hours", "holds", "said"),
    [
        (1, "yes", []),
        (1, "no", ["gate callers-may-lock closed"]),
        (
            25,
            "yes",
            ["tfrelock: ci.json: fact 1 is more than a day old", "gate callers-may-lock unknown", STATE],
        ),
    ],
)
def test_what_was_seen_counts_for_a_day(
    hours: int, holds: str, said: list[str], new_repo: New, capsys: Capture, tmp_path: Path
) -> None:
    repo = new_repo("net", {"main.tf": TABLE})
    lines = edit(capsys, repo, "--facts", seen(tmp_path / "facts", hours, holds))
    assert [line.startswith(word) for line, word in zip(lines, said, strict=True)] == [True] * len(said)
