"""Where pipelines and scripts run Terraform. To add a kind of file: its module, its name in the list, its
test.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import PurePosixPath
from typing import Final, TypeAlias

from migrate.model import Run, RunWish
from migrate.pipelines import (
    atlantis,
    azure,
    backend_config,
    buildspec,
    circleci,
    dockerfile,
    github_workflow,
    gitlab,
    jenkinsfile,
    makefile,
    other_pipeline,
    script,
    taskfile,
    unlock,
    variables,
)
from migrate.plug import Plug
from migrate.text import Span

Pipeline: TypeAlias = Plug[Run, RunWish]

SCRIPTS: Final[Sequence[Pipeline]] = [
    github_workflow,
    gitlab,
    circleci,
    azure,
    buildspec,
    other_pipeline,
    jenkinsfile,
    makefile,
    script,
    taskfile,
    atlantis,
    dockerfile,
    unlock,
]
"""The kinds of files that are read as what they run."""

PIPELINES: Final[Sequence[Pipeline]] = [*SCRIPTS, backend_config, variables]

BY_NAME: Final[Mapping[str, Pipeline]] = {plug.NAME: plug for plug in PIPELINES}


_NOTHING: Final = frozenset(
    {".tf", ".tofu", ".hcl", ".tfvars", ".md", ".mdx", ".rst", ".adoc", ".txt", ".html"}
)


def runs_nothing(path: PurePosixPath) -> bool:
    """Whether a file's name says that no kind of `SCRIPTS` reads it: configuration, and prose."""
    return path.suffix in _NOTHING


def distinct(runs: Iterable[Run]) -> Iterator[Run]:
    """Every run once: what `backend_config` reads in files of any kind, another may have read as its own."""
    taken: dict[PurePosixPath, list[Span]] = defaultdict(list)
    found = list(runs)
    for run in found:
        if run.plug != backend_config.NAME:
            taken[run.path].append(run.span)
    for run in found:
        if run.plug != backend_config.NAME or not any(run.span.overlaps(span) for span in taken[run.path]):
            yield run
