"""A plan that is told to take no lock."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from migrate.estate.runs import live, lock_off
from migrate.model import Estate, Fix, Outcome, Severity, Unknown, Verdict
from migrate.spelling.command_line import values

NAME: Final = "lock-false-on-plan"
SEVERITY: Final[Severity] = "note"
FIX: Final[Fix] = "none"
BLOCKS: Final[tuple[str, ...]] = ()
WHY: Final = (
    "A plan without the lock may read a state that is being written. It writes none itself, and is how roles "
    "that may not write the lock plan at all; it also proves nothing of their right to lock."
)
REMEDY: Final = "Grant the lock to the role that plans and drop -lock=false, or plan with -refresh=false."


def check_estate(estate: Estate, /) -> Iterable[Verdict]:
    for run in live(estate):
        off = lock_off(run.arguments)
        if run.command != "plan" or list(values(run.said, "refresh"))[-1:] == ["false"]:
            continue
        if isinstance(off, Unknown):
            because = f"whether the plan takes the lock: {off.why}"
            yield Verdict(NAME, str(run.path), Outcome.UNKNOWN, because, where=run.place)
        elif off.value:
            because = "plan takes no lock: -lock=false"
            yield Verdict(NAME, str(run.path), Outcome.BROKEN, because, where=run.place)
