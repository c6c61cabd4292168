"""`make kills`: a small campaign killed after every call of git, forge and store; a large one at random."""

from __future__ import annotations

import argparse
import tempfile
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from random import Random

from tests.forge_server import serving
from tests.github import fake, openapi
from tests.kills import large, small
from tests.kills.runs import running
from tests.kills.world import World, environment


def main() -> int:
    parser = argparse.ArgumentParser(prog="make kills", description=__doc__)
    parser.add_argument("only", nargs="*", choices=[[], "small", "large"], metavar="NAME")
    parser.add_argument("--seed", type=int, default=1, help="of the large campaign")
    asked = parser.parse_args()
    if "large" not in asked.only:
        _told("small", 1, _small)
    if "small" not in asked.only:
        _told("large", 4, lambda world: _large(world, Random(asked.seed)))
    return 0


def _small(world: World) -> Counter[str]:
    small.make(world)
    return small.kill(world, lambda _: True)


def _large(world: World, random: Random) -> Counter[str]:
    large.create(world)
    kills = large.lead(world, random)
    print(large.check(world))
    return kills


def _told(name: str, jobs: int, lead: Callable[[World], Counter[str]]) -> None:
    """Lead one campaign in a folder of its own, and say how often it was killed."""
    with tempfile.TemporaryDirectory(prefix="tfrelock-kills-") as made:
        folder = Path(made)
        hub = fake.Hub(folder / "hub", openapi.read())
        with serving(hub) as (_, url), running(folder / "runs", environment(folder)) as runs:
            world = World(folder, hub, url, runs, jobs)
            kills = lead(world)
            found = large.tokens_in(world, folder, fake.TOKEN)
        assert not found, f"the token stands in {found}"
    said = ", ".join(f"{count} after a call of {kind}" for kind, count in sorted(kills.items()))
    print(f"{name}: killed {kills.total()} times ({said}); every proposal once, status right at every stop")


if __name__ == "__main__":
    raise SystemExit(main())
