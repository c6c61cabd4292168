"""What README and the playbooks show a command print is what it prints."""

from __future__ import annotations

from pathlib import Path
from typing import Final, TypeAlias

import pytest

from migrate import config
from migrate.dialects import terraform
from migrate.model import LockWish
from tests import docs
from tests.pairs import check_change
from tests.shown.worlds import World

ROOT: Final = Path(__file__).parents[2]
Session: TypeAlias = list[tuple[str, list[str]]]
PAGES: Final = [
    page.read_text("utf-8") for page in (ROOT / "README.md", *sorted(ROOT.glob("playbooks/*.md")))
]
SESSIONS: Final = [session for page in PAGES for session in docs.sessions(page)]
_OPERATORS: Final = ("facts:", "aws:", "campaign:")
SETTINGS: Final = [one for page in PAGES for one in docs.blocks(page, "yaml") if one.startswith(_OPERATORS)]
WORLDS: Final = {
    "tfrelock audit ~/infra": "world",
    "tfrelock iam check ~/infra": "world",
    "tfrelock iam check --self --yes .": "pipeline",
    "tfrelock campaign init locks.campaign": "organisation",
    "tfrelock audit --base origin/main": "change",
    "tfrelock reinit --write ~/infra": "merged",
}
"""The world of each session, by its first command."""


@pytest.mark.parametrize("session", SESSIONS, ids=[session[0][0] for session in SESSIONS])
def test_what_is_shown_is_what_is_printed(session: Session, request: pytest.FixtureRequest) -> None:
    world = request.getfixturevalue(WORLDS[session[0][0]])
    assert isinstance(world, World)
    for command, shown in session:
        printed = world.run(command)
        assert docs.tells(shown, printed), f"$ {command}\n{printed}"


def test_every_world_is_shown() -> None:
    assert {session[0][0] for session in SESSIONS} == set(WORLDS)


def test_the_diff_is_the_edit() -> None:
    [shown] = docs.blocks(PAGES[0], "diff")
    lines = [(line[0], line[1:]) for line in shown.splitlines()]
    before, after = (
        "\n".join(["terraform {", *(line for sign, line in lines if sign != gone), "}", ""]) for gone in "+-"
    )
    assert before != after
    check_change(terraform, "main.tf", before, after, LockWish.DUAL)


@pytest.mark.parametrize("settings", SETTINGS)
def test_settings_of_the_operator_are_taken(settings: str) -> None:
    _, loaded = config.read_operator(settings, "operator.yaml")
    assert loaded.mistakes == ()
