"""Which partial files complete which block: one block with several files is several configurations.

Said, in this order: by the repository's own configuration; by a run whose directory is known; by where the
file lies (its own directory, else the nearest one above with an incomplete block, else the only one of the
repository).
"""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence, Set
from pathlib import PurePosixPath

from migrate.estate.effective import is_complete, joined
from migrate.estate.paths import within
from migrate.estate.survey import Survey
from migrate.model import Known, Run, Site

Choices = Mapping[PurePosixPath, list[tuple[Site, ...]]]


def choices(survey: Survey, roots: Mapping[PurePosixPath, Sequence[Site]]) -> tuple[Choices, list[Site]]:
    """For each root its choices of partial files (each in the order given), and the files that no root was
    found for.
    """
    partials = {site.path: site for site in survey.sites if site.role == "partial"}
    chosen: dict[PurePosixPath, list[tuple[Site, ...]]] = {}
    named: set[PurePosixPath] = set()
    for root, files in [*_configured(survey), *_from_runs(survey, roots)]:
        sites = tuple(partials[path] for path in files if path in partials)
        if sites and root in roots and sites not in chosen.setdefault(root, []):
            chosen[root].append(sites)
            named.update(site.path for site in sites)
    orphans, incomplete = [], _incomplete(roots)
    for path, site in sorted(partials.items()):
        if path in named:
            continue
        home = _home(site, roots, incomplete)
        if home is None:
            orphans.append(site)
        else:
            chosen.setdefault(home, []).append((site,))
    return chosen, orphans


def _configured(survey: Survey) -> list[tuple[PurePosixPath, tuple[PurePosixPath, ...]]]:
    return [(root, (file,)) for root, files in survey.backend_config.items() for file in files]


def _from_runs(
    survey: Survey, roots: Mapping[PurePosixPath, Sequence[Site]]
) -> list[tuple[PurePosixPath, tuple[PurePosixPath, ...]]]:
    found = []
    for run in survey.runs:
        root = _root_of(run, roots)
        files = tuple(within(root, value) for value in run.backend_config if "=" not in value) if root else ()
        if root and files:
            found.append((root, files))
    return found


def _root_of(run: Run, roots: Mapping[PurePosixPath, Sequence[Site]]) -> PurePosixPath | None:
    """The root a run works in: its directory, else that of its file where this is a root."""
    if isinstance(run.directory, Known):
        return run.directory.value if run.directory.value in roots else None
    return run.path.parent if run.path.parent in roots else None


def _incomplete(roots: Mapping[PurePosixPath, Sequence[Site]]) -> set[PurePosixPath]:
    return {root for root, sites in roots.items() if not all(is_complete(joined([s])) for s in sites)}


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
