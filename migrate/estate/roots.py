"""Which directories are roots, and which block of a root counts.

A backend block in an override file replaces the whole block, and of several override files the lexically last
one wins; one of another kind leaves no S3 backend there (tried). A `.tofu` file hides the `.tf` file of its
stem, and overrides the others, for OpenTofu alone. A directory that another one calls as a module is a root
too unless nothing speaks for it: Terraform ignores a backend block in a module, and a root taken for a module
would be overlooked, so in doubt it is a root.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from pathlib import PurePosixPath
from typing import Final, TypeAlias

from msgspec.structs import replace

from migrate.estate.configured import stars
from migrate.estate.layered import filled_by_layers, in_layers, left_to_layers
from migrate.estate.survey import Survey
from migrate.estate.units import expanded, filled, left_to_terragrunt
from migrate.evaluation.files import is_override, is_tofu
from migrate.model import Backend, Idle, Known, Link, Problem, RepoId, Run, Site
from migrate.settings import IN_LOCALS
from migrate.spelling.version_names import scope

RootId: TypeAlias = tuple[RepoId, str, str, tuple[tuple[str, int], ...]]
"""Repository, directory or file, engine, where its constraints stand."""


def root_of(backend: Backend) -> RootId:
    """The root that a backend is one of: the pins of a root go together.

    Files that are copied to one name are configurations of one directory that never meet; nor do its
    constraints as they are committed, and as a file that git ignores makes them.
    """
    block = backend.inputs[0]
    where = block.path if block.dialect == "renamed" else backend.root
    constraints = tuple((str(pin.path), pin.span.start) for pin in backend.pins if pin.kind == "constraint")
    return (backend.repo, str(where), backend.engine, constraints)


def blocks(survey: Survey) -> tuple[Mapping[PurePosixPath, list[Site]], list[Idle]]:
    """The blocks that count, by root, and those that do not, with the reason."""
    by_root: dict[PurePosixPath, list[Site]] = defaultdict(list)
    layered = in_layers(survey)
    for site in survey.sites:
        if site.role in ("writer", "generator", "code") and not stands_alone(site):
            for one in _served(site, survey, layered):
                by_root[one.root].append(one)
    callers, speaking, others = _module_calls(survey.links), _speaking(survey), _others(survey)
    units, by_layers, idle = filled(survey), filled_by_layers(survey), []
    for root in list(by_root):
        sites, replaced = _winning(by_root[root], others.get(root))
        sites, left = left_to_terragrunt(sites, units.get(root))
        sites, filled_in = left_to_layers(sites) if root in by_layers else (sites, [])
        idle += [*replaced, *left, *filled_in]
        caller = callers.get(root)
        if caller and root not in speaking:
            why = (
                f"called as a module by {caller.origin} and nothing speaks for a root: its backend is ignored"
            )
            idle += [Idle(site, why, "run by itself and not as a module") for site in sites]
            sites = []
        by_root[root] = sites
    return {root: sites for root, sites in by_root.items() if sites}, idle


def stands_alone(site: Site) -> bool:
    """Whether it is a backend of its own, of no directory that we know; Terragrunt's code is its units'."""
    return site.role in ("code", "flag", "generator") and site.dialect != "terragrunt"


def _served(
    site: Site, survey: Survey, layered: Set[tuple[PurePosixPath, str, PurePosixPath]]
) -> Iterator[Site]:
    """The site for each root that its file serves: its directory, each from which a symlink leads to it or
    that has a copy, and the units of Terragrunt; but where it is one of several layers, or a map for others.
    """
    if site.name.startswith(IN_LOCALS):
        return
    if site.id in survey.units:
        units = survey.units[site.id]
        left = [unit for unit in units if (site.path, site.name, unit.directory) not in layered]
        yield from expanded(site, left) if left or not units else ()
        return
    also = (*survey.aliases.get(site.path, ()), *survey.copies.get(site.path, ()))
    for root in {site.root, *(path.parent for path in also)}:
        yield site if root == site.root else replace(site, root=root)


def _module_calls(links: Iterable[Link]) -> dict[PurePosixPath, Link]:
    """Directory → a module call that leads there; a unit of Terragrunt runs its module as a root.

    What an example or a test calls outside of its own folder is what it shows or tries: that may be a root.
    """
    calls = [link for link in links if link.kind == "module" and link.origin.path.suffix != ".hcl"]
    return {link.path: link for link in calls if link.path.is_relative_to(scope(link.origin.path))}


def _speaking(survey: Survey) -> set[PurePosixPath]:
    """The directories that something speaks for being roots."""
    marked = (mark.parent for mark in survey.marks if not _is_source(mark))
    run = (
        run.directory.value for run in survey.runs if _is_of_root(run) and isinstance(run.directory, Known)
    )
    return {*marked, *run, *survey.providers, *survey.roots}


def _is_of_root(run: Run) -> bool:
    """A module can be validated by itself, not planned with a backend."""
    return run.command in ("plan", "apply", "destroy", "") or bool(run.backend_config)


def _is_source(mark: PurePosixPath) -> bool:
    return mark.suffix in (".tf", ".tofu") or mark.name.endswith((".tf.json", ".tofu.json"))


def _others(survey: Survey) -> Mapping[PurePosixPath, Link]:
    """By directory, the last override that gives it a backend of another kind."""
    overrides = [one for one in survey.links if one.kind == "backend" and is_override(one.origin.path)]
    overrides.sort(key=lambda link: link.origin.path.name)
    return {one.origin.path.parent: one for one in overrides if one.origin.path.parent not in survey.roots}


def _winning(sites: Sequence[Site], other: Link | None = None) -> tuple[list[Site], list[Idle]]:
    """The blocks that count where an `other` backend may stand in an override too, and those that do not."""
    last = max((s for s in sites if is_override(s.path)), key=lambda s: s.path.name, default=None)
    if other and (last is None or last.path.name < other.origin.path.name):
        return _replaced(sites, other)
    if last is None:
        return list(sites), []
    of_terraform = _winning([s for s in sites if not is_tofu(s.path)])[0] if is_tofu(last.path) else []
    kept = [*of_terraform, last]
    why = f"replaced as a whole by the block in {last.path}"
    return kept, [Idle(s, why) for s in sites if s not in kept]


def _replaced(sites: Sequence[Site], other: Link) -> tuple[list[Site], list[Idle]]:
    """An override of OpenTofu's leaves Terraform its block. Where the override is not, the blocks count."""
    own = [s for s in sites if not is_tofu(s.path)] if is_tofu(other.origin.path) else []
    kept, idle = _winning(own)
    why = f"replaced as a whole by the backend {other.target} in {other.origin}"
    return kept, [*idle, *(Idle(s, why, "without that override") for s in sites if s not in own)]


def misnamed(survey: Survey) -> Iterator[Problem]:
    """Every directory that the repository's own configuration takes for a root, and that is none."""
    if survey.configured:
        roots, _ = blocks(survey)
        for root, where in survey.configured.items():
            if not any(stars(root, one) is not None for one in roots):
                why = f"backend_config names {root}, where no S3 backend is configured"
                yield Problem("misnamed", where, why, "name the directory of a root, or take the entry out")


def doubled(survey: Survey) -> Iterator[Problem]:
    """Every further block of a root that has one already: Terraform configures the first, then fails."""
    seen: set[tuple[PurePosixPath, bool]] = set()
    for site in sorted(survey.sites, key=lambda s: (s.path.parts, s.span)):
        if site.role == "writer" and site.name == "backend.s3" and not is_override(site.path):
            kind = (site.root, is_tofu(site.path))
            if kind in seen:
                yield Problem("ambiguous", site.place, _SECOND, "keep one of the two, then audit again")
            seen.add(kind)


_SECOND: Final = "a second backend block in one directory: Terraform takes one"
