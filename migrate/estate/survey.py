"""What one repository holds, before anything is joined; and the worlds that rules are given."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import PurePosixPath

from msgspec import Struct, field
from msgspec.structs import replace

from migrate.model import (
    Definition,
    Engine,
    Estate,
    Layered,
    Link,
    Mention,
    Pin,
    Place,
    Problem,
    RepoId,
    Run,
    Site,
    Unit,
    World,
)


class Survey(Struct, frozen=True):
    """All that the plugs found in one repository.

    `closed` is what keeps files from being read in which a backend may stand. `marks` are files whose mere
    presence speaks (`.terraform.lock.hcl`, `*.tfvars`, `*.tofu`), `providers` the directories with a provider
    block, `roots` those that are roots whoever calls them and whatever overrides them, `aliases` the symlinks
    that lead to a file, `copies` the paths at which a stack of Terragrunt has a file as well.
    `backend_config` and `engine` are what the repository's own configuration says, `configured` is where it
    names which root.
    """

    repo: RepoId
    sites: tuple[Site, ...] = ()
    links: tuple[Link, ...] = ()
    pins: tuple[Pin, ...] = ()
    runs: tuple[Run, ...] = ()
    mentions: tuple[Mention, ...] = ()
    near: Mapping[Place, frozenset[str]] = field(default_factory=dict)
    """Places that name a table in a form that is not read, and the words around each."""
    problems: tuple[Problem, ...] = ()
    closed: tuple[Problem, ...] = ()
    marks: frozenset[PurePosixPath] = frozenset()
    providers: frozenset[PurePosixPath] = frozenset()
    roots: frozenset[PurePosixPath] = frozenset()
    aliases: Mapping[PurePosixPath, tuple[PurePosixPath, ...]] = field(default_factory=dict)
    copies: Mapping[PurePosixPath, tuple[PurePosixPath, ...]] = field(default_factory=dict)
    backend_config: Mapping[PurePosixPath, tuple[PurePosixPath, ...]] = field(default_factory=dict)
    configured: Mapping[PurePosixPath, Place] = field(default_factory=dict)
    engine: Engine | None = None
    units: Mapping[str, tuple[Unit, ...]] = field(default_factory=dict)
    """By id of a site, the directories that it serves, where its expressions were evaluated in each:
    Terragrunt's configurations, OpenTofu's backends with variables.
    """
    definitions: tuple[Definition, ...] = ()
    layers: tuple[Layered, ...] = ()
    """The configurations that maps of several files make together, as Atmos merges them."""

    local: frozenset[PurePosixPath] = frozenset()
    """The files that git ignores, of those that count here: nobody else has them."""


def shared(survey: Survey) -> Survey:
    """What everybody has of a repository."""

    def is_shared(path: PurePosixPath) -> bool:
        return path not in survey.local

    aliases = {at: tuple(filter(is_shared, links)) for at, links in survey.aliases.items() if is_shared(at)}
    return replace(
        survey,
        sites=tuple(site for site in survey.sites if is_shared(site.path)),
        links=tuple(link for link in survey.links if is_shared(link.origin.path)),
        pins=tuple(pin for pin in survey.pins if is_shared(pin.path)),
        runs=tuple(run for run in survey.runs if is_shared(run.path)),
        layers=tuple(one for one in survey.layers if all(is_shared(layer.path) for layer in one.layers)),
        marks=survey.marks - survey.local,
        aliases=aliases,
        local=frozenset(),
    )


def worlds(estate: Estate, now: str) -> Iterator[World]:
    """One world for each stack. `now` is an ISO 8601 date."""
    return (World(stack, estate, now) for stack in estate.stacks)
