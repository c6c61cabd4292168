"""A run that writes a state and is told to take no lock."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from migrate.estate.runs import WRITING, live, lock_off
from migrate.model import Estate, Fix, Outcome, Severity, Unknown, Verdict

NAME: Final = "lock-false-on-apply"
SEVERITY: Final[Severity] = "error"
FIX: Final[Fix] = "none"
BLOCKS: Final[tuple[str, ...]] = ()
WHY: Final = (
    "With -lock=false neither the table nor the lockfile is asked: such a run writes while another does, "
    "before the migration and after it."
)
REMEDY: Final = "Drop -lock=false, and say -lock-timeout=10m where runs should wait for one another."


def check_estate(estate: Estate, /) -> Iterable[Verdict]:
    for run in live(estate):
        everywhere = run.command == "" and run.engine is None
        off = lock_off(run.arguments)
        if run.command not in WRITING and not everywhere:
            continue
        if isinstance(off, Unknown):
            because = f"whether `{run.command}` takes the lock: {off.why}"
            yield Verdict(NAME, str(run.path), Outcome.UNKNOWN, because, where=run.place)
        elif off.value:
            because = f"{run.command or 'every run here'} takes no lock: -lock=false"
            yield Verdict(NAME, str(run.path), Outcome.BROKEN, because, where=run.place)
