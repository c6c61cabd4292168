"""A plan that is saved in one job and applied in another: a phase may be merged between the two."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import PurePosixPath
from typing import Final

from migrate.estate.runs import live, plan_file
from migrate.model import Estate, Fix, Outcome, Run, Severity, Verdict
from migrate.spelling.command_line import values

NAME: Final = "saved-plan-crosses-phase"
SEVERITY: Final[Severity] = "warning"
FIX: Final[Fix] = "none"
BLOCKS: Final[tuple[str, ...]] = ("retire",)
WHY: Final = (
    "A plan file carries the backend it was made with: applied after a phase was merged, it takes the locks "
    "of the phase before. One from before dual-lock, applied after retire, shares no lock with anybody."
)
REMEDY: Final = (
    "Let no plan wait over a merge: before retire, apply or throw away every saved one and plan anew."
)


def check_estate(estate: Estate, /) -> Iterable[Verdict]:
    runs = [run for run in live(estate) if run.automated]
    for run in runs:
        file = plan_file(run)
        if file:
            yield from _judged(run, file, _planned(runs, run, file))


def _planned(runs: Sequence[Run], of: Run, file: str) -> list[Run]:
    """The plans of the same file that are saved under that name."""
    name = PurePosixPath(file).name
    return [
        run
        for run in runs
        if run.command == "plan"
        and (run.repo, run.path) == (of.repo, of.path)
        and any(PurePosixPath(out).name == name for out in values(run.arguments, "out"))
    ]


def _judged(run: Run, file: str, planned: Sequence[Run]) -> Iterable[Verdict]:
    if any(plan.job == run.job for plan in planned):
        return
    if planned:
        because = f"{file} is planned in {planned[0].job} and applied in {run.job}"
        yield Verdict(NAME, str(run.path), Outcome.BROKEN, because, where=run.place)
    else:
        because = f"{file} is applied here; where and when it is planned is not said in this file"
        yield Verdict(NAME, str(run.path), Outcome.UNKNOWN, because, where=run.place)
