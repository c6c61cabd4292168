"""An `init -upgrade` in a pipeline."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from migrate.estate.runs import live, opaque, shown
from migrate.model import Estate, Fix, Outcome, Severity, Verdict
from migrate.spelling.command_line import has

NAME: Final = "init-upgrade"
SEVERITY: Final[Severity] = "note"
FIX: Final[Fix] = "none"
BLOCKS: Final[tuple[str, ...]] = ()
WHY: Final = (
    "init -upgrade chooses providers and modules anew and rewrites .terraform.lock.hcl: the first run after "
    "a phase then differs in more than its lock, and nobody can tell which of both it was."
)
REMEDY: Final = (
    "Run init with -lockfile=readonly in pipelines, and upgrade providers in changes of their own."
)


def check_estate(estate: Estate, /) -> Iterable[Verdict]:
    for run in live(estate):
        if run.command != "init" or not run.automated or run.engine is None:
            continue
        if has(run.said, "upgrade"):
            because = f"`{shown(run)} -upgrade` chooses providers anew"
            yield Verdict(NAME, str(run.path), Outcome.BROKEN, because, where=run.place)
        elif opaque(run):
            because = f"whether `{shown(run)}` is given -upgrade is known when it runs"
            yield Verdict(NAME, str(run.path), Outcome.UNKNOWN, because, where=run.place)
