"""Which roles take the lock of which state: that of its backend, else those of pipelines that run there.

Beside them those of its providers, for people: they make resources, and the lock is not theirs to take.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import PurePosixPath
from typing import Final

from msgspec import Struct

from migrate.campaign.reading.inventory import Inventory
from migrate.campaign.reading.narrowing import is_example
from migrate.estate.effective import text
from migrate.grouping import grouped
from migrate.model import Backend, Estate, Known, Place, RepoId, Run, Source, Unknown
from migrate.pipelines import makefile, script, taskfile
from migrate.roles import RoleName, named_in, of_providers
from migrate.text import Lines

_ROLE: Final = ("assume_role.role_arn", "role_arn")
_FOLDERS: Final = tuple(map(PurePosixPath, (".", ".github/workflows", ".circleci")))
_WORKFLOW: Final = re.compile(
    r"\.github/workflows/.+\.ya?ml|\.gitlab-ci\.ya?ml|\.circleci/config\.yml|.*pipelines\.ya?ml"
)
_RECIPES: Final = (makefile.NAME, taskfile.NAME, script.NAME)
_MAKES: Final = re.compile(r"(?m)(?:^|[\s;&|(\"'])(?:make|just|task)(?=[\s;&|)\"']|$)")
_OF_TERRAGRUNT: Final = re.compile(r'(?m)^[ \t]*iam_role[ \t]*=[ \t]*"([^"\n]+)"')


def runners(estate: Estate, inventories: Sequence[Inventory]) -> Mapping[str, tuple[RoleName, ...]]:
    """By the id of a state, every role that is named for it; examples run nothing."""
    pipelines = {inventory.survey.repo: tuple(_pipelines(inventory)) for inventory in inventories}
    sources = {inventory.survey.repo: inventory.sources for inventory in inventories}
    providers = _providers(inventories)
    found: dict[str, dict[str, RoleName]] = defaultdict(dict)
    for backend in estate.backends:
        own = tuple(_own(backend, sources[backend.repo]))
        locking = own or _running(backend, pipelines[backend.repo])
        for one in (*locking, *providers.get((backend.repo, backend.root), ())):
            found[str(backend.state)].setdefault(one.text, one)
    return {state: tuple(names.values()) for state, names in found.items()}


def limited_sessions(named: Mapping[str, Iterable[RoleName]]) -> tuple[str, ...]:
    """Roles whose sessions may do less than their policies say, in words."""
    limited = {str(one.place): one for names in named.values() for one in names if one.session}
    return tuple(
        f"Not weighed: {one.session}, which may limit {one.text} at {one.place}."
        for _, one in sorted(limited.items())
    )


def _providers(inventories: Iterable[Inventory]) -> Mapping[tuple[RepoId, PurePosixPath], list[RoleName]]:
    """By directory."""
    found: dict[tuple[RepoId, PurePosixPath], list[RoleName]] = defaultdict(list)
    for inventory in inventories:
        for path, source in inventory.sources.items():
            if path.suffix in (".tf", ".tofu") and "assume_role" in source.text:
                found[source.repo, path.parent] += of_providers(source)
    return found


class _Pipeline(Struct, frozen=True):
    """A file that runs an engine, and the roles that it takes on."""

    runs: tuple[Run, ...]
    roles: tuple[RoleName, ...]


def _pipelines(inventory: Inventory) -> Iterator[_Pipeline]:
    engines = (run for run in inventory.survey.runs if run.engine and not is_example(run.path))
    by_file = grouped(engines, lambda run: run.path)
    recipes = {path: runs for path, runs in by_file.items() if runs[0].plug in _RECIPES}
    sources = {path: inventory.sources[path] for path in by_file}
    for source in (sources | dict(_workflows(inventory) if recipes else ())).values():
        runs = [*by_file.get(source.path, ()), *_called(source, recipes)]
        roles = tuple(named_in(source)) if runs else ()
        if roles:
            yield _Pipeline(tuple(runs), roles)


def _workflows(inventory: Inventory) -> Iterator[tuple[PurePosixPath, Source]]:
    """The pipelines that may run what stands in other files, whether an engine is named in them or not."""
    paths = (folder / name for folder in _FOLDERS for name in inventory.tree.names(folder))
    for path in paths:
        text = inventory.tree.text(path) if _WORKFLOW.fullmatch(str(path)) else None
        if text:
            yield path, Source(inventory.survey.repo, path, text)


def _called(source: Source, recipes: Mapping[PurePosixPath, Sequence[Run]]) -> Iterator[Run]:
    """The runs of the recipes and scripts that a pipeline calls: of a recipe whatever target it asks for."""
    makes = _MAKES.search(source.text) is not None
    for path, runs in recipes.items():
        if str(path) in source.text if runs[0].plug == script.NAME else makes:
            yield from runs


def _running(backend: Backend, pipelines: Iterable[_Pipeline]) -> Iterator[RoleName]:
    for one in pipelines:
        if any(_works_in(run, backend.root) for run in one.runs):
            yield from one.roles


def _works_in(run: Run, root: PurePosixPath) -> bool:
    """Terragrunt runs what is below its directory; where nobody knows where a run works, it may be here."""
    if isinstance(run.directory, Unknown):
        return True
    below = run.engine == "terragrunt" and root.is_relative_to(run.directory.value)
    return below or run.directory.value == root


def _own(backend: Backend, sources: Mapping[PurePosixPath, Source]) -> Iterator[RoleName]:
    """The role that the backend itself takes on for the state, or Terragrunt for all it does."""
    named = next((fact for name in _ROLE if (fact := text(backend.settings, name))), None)
    if named:
        yield RoleName(named.value if isinstance(named, Known) else named.why, backend.place)
        return
    for site in backend.inputs:
        if site.path.suffix == ".hcl" and site.path in sources:
            yield from _of_terragrunt(site.repo, sources[site.path])


def _of_terragrunt(repo: RepoId, source: Source) -> Iterator[RoleName]:
    lines = Lines(source.text)
    for found in _OF_TERRAGRUNT.finditer(source.text):
        yield RoleName(found[1], Place(repo, source.path, lines.line(found.start(1))))
