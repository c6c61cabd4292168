"""Which Terragrunt units each configuration serves, and what its settings come to in each of them.

A unit is served by its own file and by those it includes; what it says itself wins over what it includes,
block by block. Values are told where source settles them, and left out where it does not.
"""

from __future__ import annotations

import posixpath
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from pathlib import PurePosixPath
from typing import Final, Generic, TypeAlias, TypeVar

from migrate.campaign.reading.tree import Tree
from migrate.evaluation.stacks import UNIT
from migrate.evaluation.terragrunt import Frame, including, own
from migrate.model import Fact, Known, Link, Scalar, Site, Unit, Unknown
from migrate.settings import DECISIVE, IN_LOCALS, taken
from migrate.wishes import TABLE

T = TypeVar("T")

_TOLD: Final = frozenset((*DECISIVE, *TABLE, "endpoint", "endpoints.s3"))


Included: TypeAlias = Mapping[PurePosixPath, Mapping[PurePosixPath, PurePosixPath]]
"""Unit → the files that it includes, in order, each with the path by which it does."""


class _Shared(Generic[T]):
    """What was found for one unit holds for those beside it, unless only the unit itself could answer."""

    def __init__(self, ask: Callable[[Frame, str], T]) -> None:
        self._ask = ask
        self._found: dict[tuple[str | None, str], T] = {}

    def get(self, beside: str | None, expression: str, frame: Callable[[], Frame | None]) -> T | None:
        key = (beside, expression)
        if key in self._found:
            return self._found[key]
        asked = frame()
        if asked is None:
            return None
        found = self._ask(asked, expression)
        if not asked.asked:
            self._found[key] = found
        return found


def _beside(unit: PurePosixPath) -> str | None:
    """What units whose folders stand side by side have in common; None at the top."""
    folder = posixpath.dirname(str(unit))
    return posixpath.dirname(folder) if folder else None


def units(sites: Iterable[Site], links: Iterable[Link], files: Tree) -> Mapping[str, tuple[Unit, ...]]:
    """Site id → the units it serves; a configuration that nothing is known to run is not in it."""
    own_blocks = (site for site in sites if not site.name.startswith(IN_LOCALS))
    speaking = [site for site in own_blocks if site.dialect == "terragrunt" and site.path.suffix == ".hcl"]
    if not speaking:
        return {}
    said = {(site.path, _block(site)) for site in speaking}
    included = _included(links, files)
    includers: dict[PurePosixPath, list[PurePosixPath]] = defaultdict(list)
    for unit, paths in included.items():
        for file in paths:
            includers[file].append(unit)
    found = {}
    for site in speaking:
        block, by = _block(site), includers[site.path]
        ruled = (
            unit for unit in by if said.isdisjoint((f, block) for f in _behind(site, unit, included, files))
        )
        served = [(unit, included[unit][site.path]) for unit in ruled]
        if site.path.name == UNIT and not by:
            served = [(unit, unit) for unit in _run(site.path, files)]
        if served:
            found[site.id] = tuple(_units(site, served, files))
    return found


def _behind(site: Site, unit: PurePosixPath, included: Included, files: Tree) -> Iterator[PurePosixPath]:
    """The files whose blocks win over those of the site's in a unit: what it includes later, and its own."""
    in_order = [*included[unit], files.real(unit)]
    yield from in_order[in_order.index(site.path) + 1 :]


def _block(site: Site) -> str:
    """The name of the block, whichever outcome of its choices the site is."""
    return site.name.partition("#")[0]


def _run(file: PurePosixPath, files: Tree) -> Iterator[PurePosixPath]:
    """Where a file that is a unit is run: in its place, and where a stack puts copies of it."""
    copies = list(files.copies_of(file))
    if not (copies and files.lacks_values(file)):
        yield file
    yield from copies


def _included(links: Iterable[Link], files: Tree) -> Included:
    found: dict[PurePosixPath, dict[PurePosixPath, PurePosixPath]] = defaultdict(dict)
    paths = _Shared(Frame.path)
    for link in links:
        unit = link.origin.path
        if link.kind == "include":
            path = paths.get(_beside(unit), link.target, partial(own, files, unit))
            if path and path != unit:
                found[unit][files.real(path)] = path
    return found


def _units(site: Site, served: Iterable[tuple[PurePosixPath, PurePosixPath]], files: Tree) -> Iterator[Unit]:
    """One that a stack copies and whose state is not known where it is written is meant for its copies."""
    asked = [
        (setting.name, setting.value.why)
        for setting in site.settings
        if setting.by_name and setting.name in _TOLD and isinstance(setting.value, Unknown)
    ]
    state = {name for name, _ in asked if name in ("bucket", "key")}
    facts = {name: _Shared(partial(_said, name)) for name, _ in asked}
    for unit, path in served:
        frame = partial(own, files, unit) if unit == path else partial(including, files, unit, path)
        beside = _beside(unit)
        told = ((name, facts[name].get(beside, written, frame)) for name, written in asked)
        values = {name: fact.value for name, fact in told if isinstance(fact, Known)}
        if state <= values.keys() or not any(files.copies_of(unit)):
            yield Unit(unit.parent, values)


def _said(name: str, frame: Frame, written: str) -> Fact[Scalar]:
    fact = frame.setting(written)
    return taken(name, fact.value, written) if isinstance(fact, Known) else fact
