"""Which partial files and flags complete which block: with several of them it is several configurations.

Said, in this order: by the repository's own configuration; by a run whose directory is known; by where the
file lies (its own directory, else the nearest one above with an incomplete block, else the only one of the
repository). A run that names a lock and says no directory completes the only incomplete block there is.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence, Set
from pathlib import PurePosixPath
from typing import TypeAlias

from migrate.estate.effective import is_complete, joined, names_lock
from migrate.estate.survey import Survey
from migrate.grouping import grouped
from migrate.model import Known, Run, Site, within
from migrate.spelling.command_line import values

Roots: TypeAlias = Mapping[PurePosixPath, Sequence[Site]]
Choice: TypeAlias = tuple[Site, ...]
Choices: TypeAlias = Mapping[PurePosixPath, list[Choice]]


def choices(survey: Survey, roots: Roots) -> tuple[Choices, list[Site]]:
    """For each root its choices of partial files and flags (each in the order given), and the files that no
    root was found for.
    """
    partials = {site.path: site for site in survey.sites if site.role == "partial"}
    flags = Flags(survey)
    chosen: dict[PurePosixPath, list[Choice]] = defaultdict(list)
    incomplete = incomplete_of(roots)
    for root, choice in [*_configured(survey, partials), *_from_runs(survey, roots, partials, flags)]:
        if (choice or root not in incomplete) and root in roots and choice not in chosen[root]:
            chosen[root].append(choice)
    named = {site.path for options in chosen.values() for choice in options for site in choice}
    orphans = []
    for path, site in sorted(partials.items()):
        home = None if path in named else _home(site, roots, incomplete)
        if home is not None:
            chosen[home].append((site,))
        elif path not in named:
            orphans.append(site)
    for root, several in _unplaced(survey, roots, partials, flags, incomplete).items():
        chosen[root] = list(_with_each(chosen[root] or [()], several))
    return chosen, orphans


def _with_each(options: Iterable[Choice], flags: Sequence[Site]) -> Iterator[Choice]:
    """Every choice with each of the flags; one that has flags of its own run stays."""
    for choice in options:
        if any(site.role == "flag" for site in choice):
            yield choice
        else:
            yield from ((*choice, flag) for flag in flags)


class Flags:
    """The flags of one repository by the file they stand in; few files have any."""

    def __init__(self, survey: Survey) -> None:
        flags = (site for site in survey.sites if site.role == "flag")
        self._in = grouped(flags, lambda site: site.path)

    def of(self, run: Run) -> Site | None:
        """The flags of the command that a run is: those that begin in it."""
        here = self._in.get(run.path, ())
        return next((site for site in here if run.span.start <= site.span.start <= run.span.end), None)


def _configured(
    survey: Survey, partials: Mapping[PurePosixPath, Site]
) -> Iterator[tuple[PurePosixPath, Choice]]:
    for root, files in survey.backend_config.items():
        yield from ((root, (partials[file],)) for file in files if file in partials)


def _from_runs(
    survey: Survey, roots: Roots, partials: Mapping[PurePosixPath, Site], flags: Flags
) -> Iterator[tuple[PurePosixPath, Choice]]:
    """What runs with a known directory name, nothing where `init` is given nothing."""
    for run in survey.runs:
        root, flag = root_of(run, roots), flags.of(run)
        if root is None or (flag and not _says_all(run, root, partials)) or not _configures(run):
            continue
        for given in _given(run, root, partials, flag):
            if given or _says_all(run, root, partials):
                yield root, given


def _given(
    run: Run, root: PurePosixPath, partials: Mapping[PurePosixPath, Site], flag: Site | None
) -> Iterator[Choice]:
    """The files and flags of one run, of which later ones win (tried). Flags before a file and behind it are
    one site, which is taken to stand on one side and on the other.
    """
    given: list[Site] = []
    for value in run.backend_config:
        if "=" not in value:
            given += [partials[path] for path in (within(root, value),) if path in partials]
        elif flag and any(value.startswith(f"{setting.name}=") for setting in flag.settings):
            given.append(flag)
    places = [at for at, site in enumerate(given) if site is flag]
    for place in (min(places), max(places)) if places else (None,):
        yield tuple(site for at, site in enumerate(given) if site is not flag or at == place)


def _configures(run: Run) -> bool:
    """Whether it decides what a directory is initialised with."""
    return bool(run.backend_config) or (run.command == "init" and "false" not in values(run.said, "backend"))


def _says_all(run: Run, root: PurePosixPath, partials: Container[PurePosixPath]) -> bool:
    """Whether every file that a run names was read; one named by a pattern is chosen at each run."""
    return all(within(root, value) in partials for value in run.backend_config if "=" not in value)


def _unplaced(
    survey: Survey,
    roots: Container[PurePosixPath],
    partials: Container[PurePosixPath],
    flags: Flags,
    incomplete: Set[PurePosixPath],
) -> Mapping[PurePosixPath, list[Site]]:
    """The flags of runs whose directory is not said, or whose files are patterns, by their root."""
    only = min(incomplete) if len(incomplete) == 1 else None
    found: dict[PurePosixPath, list[Site]] = defaultdict(list)
    for run in survey.runs:
        flag, root = flags.of(run), root_of(run, roots)
        home = root or (only if flag and names_lock(flag) else None)
        if flag and home and not (root and _says_all(run, root, partials)):
            found[home].append(flag)
    return found


def root_of(run: Run, roots: Container[PurePosixPath]) -> PurePosixPath | None:
    """The root a run works in: its directory, else that of its file where this is a root."""
    if isinstance(run.directory, Known):
        return run.directory.value if run.directory.value in roots else None
    return run.path.parent if run.path.parent in roots else None


def incomplete_of(roots: Roots) -> set[PurePosixPath]:
    """The roots with a block that needs further input."""
    return {root for root, sites in roots.items() if is_incomplete(sites)}


def is_incomplete(sites: Iterable[Site]) -> bool:
    """Whether one of the blocks of a root needs further input."""
    return not all(is_complete(joined([site])) for site in sites)


def _home(
    site: Site, roots: Container[PurePosixPath], incomplete: Set[PurePosixPath]
) -> PurePosixPath | None:
    if site.path.parent in roots:
        return site.path.parent
    for directory in site.path.parent.parents:
        if directory in incomplete:
            return directory
    shown = site.path.name.startswith("example")  # one to copy, not one to use
    return min(incomplete) if len(incomplete) == 1 and not shown else None


def used(chosen: Choices) -> Iterable[Site]:
    """Every site that completes a block."""
    return (site for options in chosen.values() for choice in options for site in choice)
