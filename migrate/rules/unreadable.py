"""A file that could not be read as what it is."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from migrate.model import Estate, Fix, Outcome, Severity, Verdict

NAME: Final = "unreadable"
SEVERITY: Final[Severity] = "warning"
FIX: Final[Fix] = "none"
BLOCKS: Final[tuple[str, ...]] = ("retire",)
WHY: Final = "A backend in a file that cannot be parsed is a client that nobody counts."
REMEDY: Final = "Mend the file, or exclude it if it is no configuration."


def check_estate(estate: Estate, /) -> Iterable[Verdict]:
    for problem in estate.problems:
        subject = str(problem.where.path)
        yield Verdict(NAME, subject, Outcome.UNKNOWN, problem.why, problem.remedy, where=problem.where)
