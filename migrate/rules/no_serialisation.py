"""A pipeline that lets two runs which write one state go at once."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from migrate.estate.runs import WRITING, live, shown
from migrate.model import Estate, Fix, Outcome, Severity, Unknown, Verdict

NAME: Final = "no-serialisation"
SEVERITY: Final[Severity] = "note"
FIX: Final[Fix] = "none"
BLOCKS: Final[tuple[str, ...]] = ()
WHY: Final = (
    "Where a pipeline holds back the second of two runs of one state, a mistake with its lock does no harm. "
    "Where it does not, the lock alone keeps them apart, from the first day of the migration to the last."
)
REMEDY: Final = (
    "Put the runs that write one state into one group: concurrency (GitHub), resource_group (GitLab), "
    "disableConcurrentBuilds (Jenkins), lockBehavior: sequential (Azure), serial-group (CircleCI)."
)


def check_estate(estate: Estate, /) -> Iterable[Verdict]:
    for run in live(estate):
        if not run.automated or run.command not in WRITING or run.engine is None:
            continue
        if isinstance(run.serialised, Unknown):
            because = f"nothing here holds back a second `{shown(run)}`; {run.serialised.why}"
            yield Verdict(NAME, str(run.path), Outcome.UNKNOWN, because, where=run.place)
        elif not run.serialised.value:
            because = f"nothing in this file holds back a second `{shown(run)}`"
            yield Verdict(NAME, str(run.path), Outcome.BROKEN, because, where=run.place)
