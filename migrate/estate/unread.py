"""What `init` is given and nobody read: it may change all that a block says."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence
from itertools import chain
from pathlib import PurePosixPath
from typing import Final

from migrate.estate.inputs import Choices, Flags, Roots, incomplete_of, is_incomplete, root_of
from migrate.estate.runs import unsaid
from migrate.estate.survey import Survey
from migrate.model import Known, Run, Site, Unknown, within
from migrate.spelling.command_line import is_filled
from migrate.spelling.version_names import scope


def unread(survey: Survey, roots: Roots, chosen: Choices) -> Mapping[PurePosixPath, Unknown]:
    """For roots that are complete, by blocks or by flags, what is given to them besides: a file that was not
    found, a bucket or key, arguments that are known when it runs. A command that does not say where it runs
    may give such arguments to any root, and files and settings where no root here is in need of them.

    Where the repository's own configuration names files, these are all there is.
    """
    partials = {site.path for site in survey.sites if site.role == "partial"}
    found = {
        root: _unread(f"the configuration of this repository names {file}", _RIGHT_IT)
        for root, files in survey.backend_config.items()
        for file in files
        if file not in partials
    }
    flags, in_need = Flags(survey), bool(partials or incomplete_of(roots))
    for run in survey.runs:
        root, hidden = root_of(run, roots), unsaid(run)
        strays = hidden or (run.backend_config and not in_need)
        for one in (root,) if root is not None else _anywhere(run, roots) if strays else ():
            any_found = any(site.role == "partial" for site in _given(chosen, one))
            read = flags.of(run) is not None
            settings = () if root is not None and read else _settings(run, _STATE if read else _DECISIVE)
            missing = _missing(run, one, partials, any_found=any_found)
            given = next(chain(missing, settings, hidden), None)
            if given and one not in survey.backend_config:
                settle = _SAY if given in hidden else _NAME_IT
                found[one] = _unread(f"{run.path} gives init {given}", settle)
    return {
        root: why
        for root, why in found.items()
        if not is_incomplete(roots.get(root, ())) or any(s.role == "flag" for s in _given(chosen, root))
    }


_NAME_IT: Final = "name the file in .tfrelock.yaml under backend_config"
_RIGHT_IT: Final = "commit the file, or name under backend_config the one that init is given"
_SAY: Final = "say under backend_config in .tfrelock.yaml which files init is given there, [] for none"


_STATE: Final = ("bucket", "key")
_DECISIVE: Final = (*_STATE, "dynamodb_table", "use_lockfile")
"""What nobody read counts with the lock; a flag that was read and names one is a lock by itself."""


def _unread(why: str, settle: str) -> Unknown:
    return Unknown(f"{why}, which was not read", settle)  # no line: a moved one changes no lock


def _given(chosen: Choices, root: PurePosixPath) -> Iterator[Site]:
    return (site for choice in chosen.get(root, ()) for site in choice)


def _anywhere(run: Run, roots: Roots) -> Iterator[PurePosixPath]:
    """The roots that a command may work in which names none itself; Terragrunt works below its directory."""
    near, by_terragrunt = scope(run.path), run.engine == "terragrunt"
    if isinstance(run.directory, Known):
        near = run.directory.value
    for root, blocks in roots.items():
        units = any(block.dialect == "terragrunt" for block in blocks)
        fits = run.engine is None or units == by_terragrunt
        if fits and root.is_relative_to(near) and (by_terragrunt or isinstance(run.directory, Unknown)):
            yield root


def _settings(run: Run, names: Sequence[str]) -> Iterator[str]:
    return (value for value in run.backend_config if value.partition("=")[0] in names)


def _missing(
    run: Run, root: PurePosixPath, partials: Container[PurePosixPath], *, any_found: bool
) -> Iterator[str]:
    """The files that are not there; one that a pattern names is one of those that were found, if any was."""
    for value in run.backend_config:
        is_file = "=" not in value and within(root, value) not in partials
        if is_file and not (is_filled(value) and any_found):
            yield value
