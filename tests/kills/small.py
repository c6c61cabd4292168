"""Every run of a small campaign killed after its call 1, 2, 3 …, each time from where it began."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Final

from tests.cli.desk import OLD
from tests.cli.estates import reader
from tests.kills.world import World

NEXT: Final = ("next", "--yes")
SYNC: Final = ("sync",)
PHASES: Final = (NEXT, SYNC, NEXT, SYNC)
"""Prepare is offered, its merge is seen, finish is offered, its merge is seen."""


def make(world: World) -> None:
    """Two repositories: one with floor, reader and lock to change, one with a lock alone."""
    world.create("net", {"net/main.tf": OLD, "app/main.tf": reader()})
    world.create("app", {"main.tf": OLD.replace("net.tfstate", "app.tfstate").replace(">= 1.5", ">= 1.11")})
    world.begin()


def kill(world: World, numbers: Callable[[int], bool]) -> Counter[str]:
    """Kill each command after every n-th call with `numbers(n)`; gives how often, by the kind of call."""
    kills: Counter[str] = Counter()
    for at, command in enumerate(PHASES):
        kept = world.keep(f"kept{at}")
        number = 0
        while True:
            number += 1
            if not numbers(number):
                continue
            world.back_to(kept)
            done = world.led(command, die_after=number)
            world.check_stop()
            if not done.killed:
                break
            kills[done.killed] += 1
            again = world.led(command)
            assert again.code == 0, (command, number, again.code, again.out)
            world.check_end()
        world.back_to(kept)
        assert world.led(command).code == 0
        world.check_end()
        world.merge() if command == NEXT else None
    assert {name: len(pulls) for name, pulls in world.hub.pulls.items()} == {"acme/app": 2, "acme/net": 2}
    assert all(pull.merged for pulls in world.hub.pulls.values() for pull in pulls)
    return kills
