"""A campaign over folders, with no host: branches stand in the clones, proposals in a folder."""

from __future__ import annotations

import json

import pytest

from tests.cli.campaign.estate import ALL
from tests.cli.desk import OLD, Capture, Desk, New
from tests.cli.estates import Ran, run
from tests.repo import Repo


class Led:
    """A campaign in one file."""

    def __init__(self, desk: Desk, capsys: Capture) -> None:
        (desk.folder / "relock.yaml").write_text(ALL)
        self._file = desk.folder / "locks.campaign"
        self._with = ("--config", desk.folder / "relock.yaml", "--forge", "local", "--out", desk.out)
        self._capsys = capsys

    def ran(self, command: str, *arguments: object) -> Ran:
        return run(self._capsys, "campaign", command, self._file, *arguments)

    def led(self, command: str, *arguments: object) -> Ran:
        return self.ran(command, *self._with, *arguments)

    def standing(self) -> list[str]:
        [one] = json.loads(self.ran("status", "--format", "json").out)["repositories"]
        return [f"{each['slice']} {each['standing']}" for each in one["proposals"]]


@pytest.fixture
def led(desk: Desk, capsys: Capture) -> Led:
    return Led(desk, capsys)


@pytest.fixture
def repo(new_repo: New, led: Led) -> Repo:
    """A repository in the campaign, with an open proposal."""
    repo = new_repo("net", {"net/main.tf": OLD})
    led.ran("init")
    led.ran("add", repo.path)
    assert led.led("next", "--yes").code == 0
    return repo


def test_a_proposal_that_was_squashed_is_merged_and_the_next_is_made(led: Led, repo: Repo) -> None:
    for name in ("prepare", "finish"):
        assert led.led("next", "--yes").code == 0
        repo.git("merge", "--quiet", "--squash", f"tfrelock/locks/{name}")
        repo.git("commit", "--quiet", "-m", name)
        assert led.led("sync").code == 0
    assert led.standing() == ["finish merged", "prepare merged"]
    assert led.led("next").err.endswith("nothing new to offer\n")


def test_sync_has_to_be_told_where_the_proposals_are(led: Led, repo: Repo) -> None:
    ran = led.ran("sync")
    said = "Error: --forge local keeps pages and patches in a folder: say which with --out DIR\n"
    assert (ran.code, ran.err.endswith(said)) == (64, True), ran.err
    assert repo.git("branch", "--list", "tfrelock/locks/prepare")


def test_nobody_closes_a_proposal_in_a_folder(led: Led, repo: Repo) -> None:
    for yes in ([], ["--yes"]):
        ran = led.led("close", "--because", "another way", *yes)
        assert (ran.code, ran.out) == (1, "")
        assert ran.err == (
            "tfrelock: --forge local: a folder of proposals closes nothing\n"
            "  try: delete the branches of those to end, then run sync\n"
        )
    repo.git("branch", "-D", "tfrelock/locks/prepare")
    led.led("sync")
    assert led.standing() == ["prepare closed"]
