"""What `init` is given and nobody read: it may change all that a block says."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping
from pathlib import PurePosixPath

from migrate.estate.inputs import Choices, Flags, Roots, is_incomplete, root_of
from migrate.estate.paths import within
from migrate.estate.survey import Survey
from migrate.model import Site
from migrate.spelling.command_line import is_filled


def unread(survey: Survey, roots: Roots, chosen: Choices) -> Mapping[PurePosixPath, str]:
    """For roots that are complete, by blocks or by flags, what is given to them besides: a file that was not
    found, a bucket or key.

    Where the repository's own configuration names files, these are all there is.
    """
    partials = {site.path for site in survey.sites if site.role == "partial"}
    found = {
        root: f"the configuration of this repository names {file}"
        for root, files in survey.backend_config.items()
        for file in files
        if file not in partials
    }
    flags = Flags(survey)
    for run in survey.runs:
        root = root_of(run, roots)
        if root is None or root in survey.backend_config:
            continue
        any_found = any(site.role == "partial" for site in _given(chosen, root))
        given = [
            value for value in run.backend_config if _is_missing(value, root, partials, any_found=any_found)
        ]
        if flags.of(run) is None:
            given += [value for value in run.backend_config if value.startswith(("bucket=", "key="))]
        if given:
            found[root] = f"{run.path} gives init {given[0]}"  # no line: a moved one changes no lock
    return {
        root: f"{why}, which was not read"
        for root, why in found.items()
        if not is_incomplete(roots.get(root, ())) or any(s.role == "flag" for s in _given(chosen, root))
    }


def _given(chosen: Choices, root: PurePosixPath) -> Iterator[Site]:
    return (site for choice in chosen.get(root, ()) for site in choice)


def _is_missing(
    value: str, root: PurePosixPath, partials: Container[PurePosixPath], *, any_found: bool
) -> bool:
    """A file that a pattern names is one of those that were found, if any was."""
    is_file = "=" not in value and within(root, value) not in partials
    return is_file and not (is_filled(value) and any_found)
