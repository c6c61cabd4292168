"""What silences a finding, and what does not."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from tests.cli.estates import LOCKFILE, TABLE, UNLOCKED, Files, run
from tests.repo import Repo

New = Callable[[str, Files], Repo]
Capture = pytest.CaptureFixture[str]

ABOVE = "# tfrelock: ignore[{rule}] {because}\n"
SCRATCH = ABOVE.format(rule="no-lock", because="a scratch state")
CONFIGURED = "ignore:\n  - {rule: no-lock, because: a scratch state, until: UNTIL}\n"


def rules(capsys: Capture, repo: Repo, *options: str) -> tuple[int, list[str]]:
    ran = run(capsys, "audit", "--format", "json", *options, repo.path)
    return ran.code, [f["rule"] for f in json.loads(ran.out)["findings"] if f["severity"] != "note"]


def inside(text: str, comment: str) -> str:
    return text.replace('  backend "s3" {', f'  {comment}  backend "s3" {{')


@pytest.mark.parametrize(
    ("files", "silenced"),
    [
        ({"main.tf": UNLOCKED}, False),
        ({"main.tf": inside(UNLOCKED, SCRATCH)}, True),
        ({"main.tf": inside(UNLOCKED, SCRATCH.replace("state\n", "state until=2099-01-01\n"))}, True),
        ({"main.tf": inside(UNLOCKED, SCRATCH.replace("state\n", "state until=2020-01-01\n"))}, False),
        ({"main.tf": inside(UNLOCKED, SCRATCH.replace("no-lock", "shared-key"))}, False),
        ({"main.tf": SCRATCH + UNLOCKED}, False),
        ({"main.tf": UNLOCKED, ".tfrelock.yaml": CONFIGURED.replace("UNTIL", "2099-01-01")}, True),
        ({"main.tf": UNLOCKED, ".tfrelock.yaml": CONFIGURED.replace("UNTIL", "2020-01-01")}, False),
        ({"main.tf": UNLOCKED, ".tfrelock.yaml": "exclude: ['main.tf']\n"}, True),
    ],
)
def test_a_waiver_silences_its_rule_at_its_place_up_to_its_day(
    files: Files, *, silenced: bool, new_repo: New, capsys: Capture
) -> None:
    expected = (0, []) if silenced else (2, ["no-lock"])
    assert rules(capsys, new_repo("net", files)) == expected


def test_a_waiver_without_a_reason_silences_nothing_and_is_told(new_repo: New, capsys: Capture) -> None:
    repo = new_repo("net", {"main.tf": inside(UNLOCKED, "# tfrelock: ignore[no-lock]\n")})
    ran = run(capsys, "audit", repo.path)
    assert ran.code == 2
    assert "tfrelock: main.tf:4: a waiver needs a reason: # tfrelock: ignore[rule-id] reason\n" in ran.err


SWAP = ABOVE.format(rule="one-step-swap", because="we know")


@pytest.mark.parametrize(
    ("base", "change", "expected"),
    [
        ({}, {}, (2, ["one-step-swap"])),
        ({}, {"main.tf": inside(LOCKFILE, SWAP)}, (2, ["one-step-swap"])),
        (
            {},
            {".tfrelock.yaml": "ignore:\n  - {rule: one-step-swap, because: we know}\n"},
            (2, ["one-step-swap"]),
        ),
        ({"main.tf": inside(TABLE, SWAP)}, {"main.tf": inside(LOCKFILE, SWAP)}, (0, [])),
    ],
)
def test_a_change_cannot_excuse_itself(
    base: dict[str, str],
    change: dict[str, str],
    expected: tuple[int, list[str]],
    new_repo: New,
    capsys: Capture,
) -> None:
    repo = new_repo("net", {"main.tf": TABLE, **base})
    repo.branch("change")
    repo.commit({"main.tf": LOCKFILE, **change})
    assert rules(capsys, repo, "--base", "main") == expected


@pytest.mark.parametrize(("text", "dirty"), [(TABLE, False), (TABLE + "# more\n", True)])
def test_a_checkout_is_dirty_when_what_was_read_is_not_what_is_committed(
    text: str, *, dirty: bool, new_repo: New, capsys: Capture
) -> None:
    repo = new_repo("net", {"main.tf": TABLE})
    repo.write({"main.tf": text})
    ran = run(capsys, "audit", "--format", "json", repo.path)
    assert json.loads(ran.out)["repositories"][0]["dirty"] is dirty
    (repo.path / "main.tf").unlink()
    ran = run(capsys, "audit", "--format", "json", repo.path)
    assert json.loads(ran.out)["repositories"][0]["dirty"] is True
