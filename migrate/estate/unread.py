"""What `init` is given and nobody read: it may change all that a block says."""

from __future__ import annotations

from collections.abc import Container, Mapping
from pathlib import PurePosixPath

from migrate.estate.inputs import Choices, Flags, Roots, incomplete_of, root_of
from migrate.estate.paths import within
from migrate.estate.survey import Survey
from migrate.spelling.command_line import is_filled


def unread(survey: Survey, roots: Roots, chosen: Choices) -> Mapping[PurePosixPath, str]:
    """For roots whose blocks are complete, what a run gives them: a file that was not found, a bucket or key.

    What the repository's own configuration names is all there is.
    """
    partials = {site.path for site in survey.sites if site.role == "partial"}
    flags, settled = Flags(survey), {*survey.backend_config, *incomplete_of(roots)}
    found: dict[PurePosixPath, str] = {}
    for run in survey.runs:
        root = root_of(run, roots)
        if root is None or root in settled:
            continue
        for value in run.backend_config:
            name, setting, _ = value.partition("=")
            if setting and flags.of(run) is None:
                missed = name in ("bucket", "key")
            else:
                missed = not setting and _is_missing(
                    root, value, partials, any_found=any(chosen.get(root, ()))
                )
            if missed:
                found[root] = f"{run.place} gives init {value}, which was not read"
    return found


def _is_missing(
    root: PurePosixPath, file: str, partials: Container[PurePosixPath], *, any_found: bool
) -> bool:
    """A file that a pattern names is one of those that were found, if any was."""
    return within(root, file) not in partials and not (is_filled(file) and any_found)
