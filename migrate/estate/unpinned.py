"""Runs in pipelines whose release nothing here chooses: it is what their runner has installed."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import PurePosixPath
from typing import Final

from migrate.estate.runs import LOCKING
from migrate.estate.survey import Survey
from migrate.model import Known, Pin, Run, Unknown
from migrate.spelling.version_names import scope

_WHY: Final = "no file chooses the release that runs here: it is what the runner has"


def unpinned(survey: Survey) -> Sequence[Pin]:
    """One for each directory and engine, as a choice that is made elsewhere.

    An action that runs an engine brings its own, so only what stands as a command line counts.
    """
    first = {(run.directory, run.engine): run for run in reversed(survey.runs) if _is_bare(run)}
    return [_pin(run) for run in first.values()]


def _is_bare(run: Run) -> bool:
    command = run.verb is not None and run.engine is not None and run.command in (*LOCKING, "init")
    return run.automated and command and scope(run.path) == PurePosixPath()


def _pin(run: Run) -> Pin:
    """Terragrunt runs whatever is below its directory, and an engine of which it says nothing."""
    here = run.directory.value if isinstance(run.directory, Known) and run.engine != "terragrunt" else None
    return Pin(
        repo=run.repo,
        path=run.path,
        plug="runner",
        kind="unknown",
        engine=None if run.engine == "terragrunt" else run.engine,
        version=Unknown(_WHY),
        span=run.span,
        line=run.line,
        root=here or PurePosixPath(),
        everywhere=here is None,
    )
