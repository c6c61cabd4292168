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


OLD = "ended on 2020-01-01 and counts no more"


@pytest.mark.parametrize(
    ("files", "place", "why"),
    [
        (
            {"main.tf": inside(UNLOCKED, "# tfrelock: ignore[no-lock]\n")},
            "main.tf:4",
            "a waiver needs a reason: # tfrelock: ignore[rule-id] reason",
        ),
        (
            {"main.tf": inside(UNLOCKED, ABOVE.format(rule="no-lok", because="we know"))},
            "main.tf:4",
            "there is no rule no-lok: write the one that the finding names",
        ),
        (
            {"main.tf": inside(UNLOCKED, ABOVE.format(rule="soaked", because="we know"))},
            "main.tf:4",
            "soaked is a gate, and a waiver opens none: tfrelock explain soaked",
        ),
        ({"main.tf": inside(UNLOCKED, SCRATCH.replace("\n", " until=2020-01-01\n"))}, "main.tf:4", OLD),
        (
            {"main.tf": UNLOCKED, ".tfrelock.yaml": CONFIGURED.replace("UNTIL", "2020-01-01")},
            ".tfrelock.yaml:2",
            OLD,
        ),
    ],
)
def test_a_waiver_that_silences_nothing_is_told(
    files: Files, place: str, why: str, new_repo: New, capsys: Capture
) -> None:
    ran = run(capsys, "audit", new_repo("net", files).path)
    assert (ran.code, ran.err) == (2, f"tfrelock: git.acme.example/acme/net {place}: {why}\n")


def test_a_configuration_under_another_name_is_told(new_repo: New, capsys: Capture) -> None:
    repo = new_repo("net", {"main.tf": TABLE, ".tfrelock.yml": CONFIGURED})
    ran = run(capsys, "audit", repo.path)
    said = ".tfrelock.yml: it is not read under this name: rename it to .tfrelock.yaml"
    assert (ran.code, f"unreadable: git.acme.example/acme/net {said}\n" in ran.out) == (5, True)


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
