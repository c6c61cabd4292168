"""Automation that works on the rows of the lock table."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator
from typing import Final

from migrate.estate.runs import live, shown
from migrate.estate.tables import named
from migrate.model import LOCK_KEY, Estate, Fix, Outcome, Run, Severity, Verdict

NAME: Final = "unlock-script"
SEVERITY: Final[Severity] = "warning"
FIX: Final[Fix] = "none"
BLOCKS: Final[tuple[str, ...]] = ("retire",)
WHY: Final = (
    "What deletes a row of the table releases one lock of two once both are held, and none once the table "
    "is given up; then the lock is the object <key>.tflock, or env:/<workspace>/<key>.tflock."
)
REMEDY: Final = (
    "Let it run force-unlock with the ID that the failed run printed, in a directory initialised for that "
    "state: it releases what that state's backend names. See the playbook on stuck locks."
)


_OF_LOCKS: Final = re.compile(r"(?i)(?<![bc])lock")  # a list of what is blocked is none, nor a clock

_GIVEN: Final = re.compile(r"\$\{\{\s*(?:github\.event\.)?inputs\.|\$\{?params\.")
"""What a person gives a workflow or a build: the ID that the failed run printed."""


def check_estate(estate: Estate, /) -> Iterable[Verdict]:
    tables = named(estate)
    for run in live(estate):
        if run.command == "delete-item":
            yield from _of_rows(run, tables)
        elif run.command == "force-unlock" and not any(map(_GIVEN.search, run.arguments)):
            because = f"`{shown(run)}` by a script: whether its ID is read from the table is not known"
            yield Verdict(NAME, str(run.path), Outcome.UNKNOWN, because, where=run.place)


def _of_rows(run: Run, tables: Container[str]) -> Iterator[Verdict]:
    """Rows of another table are no locks; a table unknown here may be one of locks if it is called so."""
    call, *names = run.arguments
    known = next((name for name in names if name in tables), None)
    maybe = next(filter(_OF_LOCKS.search, names), None)
    if LOCK_KEY in names:
        because = f"{call} beside a LockID: it works on rows of a lock table"
        yield Verdict(NAME, str(run.path), Outcome.BROKEN, because, where=run.place)
    elif known:
        because = f"{call} of {known}, a lock table here"
        yield Verdict(NAME, str(run.path), Outcome.BROKEN, because, where=run.place)
    elif maybe:
        because = f"{call} of {maybe}: whether that is a lock table is not known"
        yield Verdict(NAME, str(run.path), Outcome.UNKNOWN, because, where=run.place)
