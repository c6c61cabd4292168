"""A campaign that is killed here and there ends as one that never was. `make kills` kills it everywhere."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.forge_server import serving
from tests.github import fake, openapi
from tests.kills import large, small
from tests.kills.runs import running
from tests.kills.world import World, environment


def test_a_small_campaign(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    if not openapi.WHOLE.is_file():
        pytest.skip("GitHub's description of its API is not set up")
    hub = fake.Hub(tmp_path / "hub", openapi.read())
    with serving(hub) as (_, url), running(tmp_path / "runs", environment(tmp_path)) as runs:
        world = World(tmp_path, hub, url, runs)
        small.make(world)
        kills = small.kill(world, lambda number: number % 32 == 20)
    with capsys.disabled():
        print(f" killed {kills.total()} times: {dict(sorted(kills.items()))}", end="")
    assert kills.total() >= 6
    assert world.printed
    assert large.tokens_in(world, tmp_path, fake.TOKEN) == []
