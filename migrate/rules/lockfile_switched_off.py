"""A flag that turns off the lockfile which the configuration below it turns on."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from migrate.estate.effective import joined, lockfile
from migrate.model import Backend, Fix, Known, Outcome, Severity, Site, Verdict, World

NAME: Final = "lockfile-switched-off"
SEVERITY: Final[Severity] = "error"
FIX: Final[Fix] = "review"
BLOCKS: Final[tuple[str, ...]] = ("dual-lock", "retire")
WHY: Final = (
    "A -backend-config flag wins over the block and over every file: with use_lockfile=false there, the runs "
    "of that command take no lockfile, whatever the reviewed code says, and nothing stops them beside those "
    "that do."
)
REMEDY: Final = (
    "Take -backend-config=use_lockfile=false out of the command, and init again with -reconfigure."
)


def check(world: World, /) -> Iterable[Verdict]:
    for backend in world.stack.backends:
        for at, site in enumerate(backend.inputs):
            if site.role == "flag" and _is_off(site):
                outcome, because = _said(backend, at)
                yield Verdict(NAME, str(world.stack.id), outcome, because, REMEDY, where=site.place)


def _is_off(site: Site) -> bool:
    setting = site.setting("use_lockfile")
    return setting is not None and setting.value in (Known(value=False), Known("false"))


def _said(backend: Backend, at: int) -> tuple[Outcome, str]:
    """What stands below the flag; where its root was not found, nobody knows."""
    below = backend.inputs[:at]
    on = next((site for site in reversed(below) if site.setting("use_lockfile")), None)
    if on and lockfile(joined(below)) != Known(value=False):
        return Outcome.BROKEN, f"this flag turns off the lockfile of {on.place}"
    if not below:
        return Outcome.UNKNOWN, "this flag turns off the lockfile of a root that was not found"
    return Outcome.BROKEN, "this flag keeps the lockfile off whatever the block will say"
