"""Automation that works on the rows of the lock table."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from migrate.estate.runs import live, shown
from migrate.model import Estate, Fix, Outcome, Severity, Verdict

NAME: Final = "unlock-script"
SEVERITY: Final[Severity] = "warning"
FIX: Final[Fix] = "none"
BLOCKS: Final[tuple[str, ...]] = ("retire",)
WHY: Final = (
    "What deletes a row by its LockID releases one lock of two once both are held, and none once the table "
    "is given up; then the lock is the object <key>.tflock, or env:/<workspace>/<key>.tflock."
)
REMEDY: Final = (
    "Let it run force-unlock with the ID that the failed run printed, in a directory initialised for that "
    "state: it releases what that state's backend names. See the playbook on stuck locks."
)


def check_estate(estate: Estate, /) -> Iterable[Verdict]:
    for run in live(estate):
        if run.command == "delete-item":
            because = f"{run.arguments[0]} beside a LockID: it works on rows of a lock table"
            yield Verdict(NAME, str(run.path), Outcome.BROKEN, because, where=run.place)
        elif run.command == "force-unlock":
            because = f"`{shown(run)}` by a script: whether its ID is read from the table is not known"
            yield Verdict(NAME, str(run.path), Outcome.UNKNOWN, because, where=run.place)
