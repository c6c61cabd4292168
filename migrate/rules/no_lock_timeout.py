"""A run in a pipeline that does not wait for a lock that is held."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from migrate.estate.runs import LOCKING, live, lock_off, opaque, shown
from migrate.model import Estate, Fix, Known, Outcome, Run, Severity, Verdict
from migrate.spelling.command_line import has

NAME: Final = "no-lock-timeout"
SEVERITY: Final[Severity] = "note"
FIX: Final[Fix] = "none"
BLOCKS: Final[tuple[str, ...]] = ()
WHY: Final = (
    "Without -lock-timeout a run fails at once when another holds the lock. While both locks are taken there "
    "are two that may be held, and people take the failure for one of the migration."
)
REMEDY: Final = (
    "Say -lock-timeout=10m on plan and apply, or set TF_CLI_ARGS_plan and TF_CLI_ARGS_apply; Terragrunt "
    "takes it in extra_arguments."
)


def check_estate(estate: Estate, /) -> Iterable[Verdict]:
    runs = list(live(estate))
    told = {run.repo for run in runs if _is_added(run) and has(run.arguments, "lock-timeout")}
    for run in runs:
        waits = has(run.said, "lock-timeout") or lock_off(run.said) != Known(value=False)
        waits = waits or (run.engine == "terragrunt" and run.repo in told)
        if not run.automated or run.command not in LOCKING or run.verb is None or waits:
            continue
        if opaque(run):
            because = f"whether `{shown(run)}` is given -lock-timeout is known when it runs"
            yield Verdict(NAME, str(run.path), Outcome.UNKNOWN, because, where=run.place)
        else:
            because = f"`{shown(run)}` does not wait for a lock that is held"
            yield Verdict(NAME, str(run.path), Outcome.BROKEN, because, where=run.place)


def _is_added(run: Run) -> bool:
    """Whether it is no run, but what Terragrunt's `extra_arguments` add to those of a command."""
    return run.engine == "terragrunt" and not run.job
