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
from typing import Final, Generic, TypeVar

from migrate.evaluation.terragrunt import Files, Frame, including, own
from migrate.model import Fact, Known, Link, Scalar, Site, Unit, Unknown
from migrate.settings import DECISIVE, IN_LOCALS, taken
from migrate.wishes import TABLE

T = TypeVar("T")

_TOLD: Final = frozenset((*DECISIVE, *TABLE, "endpoint", "endpoints.s3"))


class Tree:
    """The files of one repository, each read once: those that the walk gave, others on demand."""

    def __init__(
        self,
        known: Mapping[PurePosixPath, str],
        more: Callable[[PurePosixPath], str | None],
        names: Callable[[PurePosixPath], Iterable[str]],
    ) -> None:
        self._known = known
        self._more = more
        self._names = names
        self._read: dict[PurePosixPath, str | None] = {}
        self._listed: dict[PurePosixPath, frozenset[str]] = {}
        self._nearest: dict[tuple[PurePosixPath, str], PurePosixPath | None] = {}

    def text(self, path: PurePosixPath, /) -> str | None:
        if path in self._known:
            return self._known[path]
        if path not in self._read:
            self._read[path] = self._more(path) if self._holds(path) else None
        return self._read[path]

    def besides(self) -> Iterator[tuple[PurePosixPath, str]]:
        """The texts that were read on demand so far."""
        return ((path, text) for path, text in self._read.items() if text is not None)

    def holding(self, word: str) -> Iterator[tuple[PurePosixPath, str]]:
        """The texts that the walk gave and that hold a word."""
        return ((path, text) for path, text in self._known.items() if word in text)

    def nearest(self, folder: PurePosixPath, name: str, /) -> PurePosixPath | None:
        asked = (folder, name)
        if asked not in self._nearest:
            path = PurePosixPath(posixpath.normpath(folder / name))
            above = self.nearest(folder.parent, name) if folder.name else None
            self._nearest[asked] = path if self._holds(path) else above
        return self._nearest[asked]

    def names(self, folder: PurePosixPath) -> frozenset[str]:
        if folder not in self._listed:
            self._listed[folder] = frozenset(self._names(folder))
        return self._listed[folder]

    def _holds(self, path: PurePosixPath) -> bool:
        return path in self._known or path.name in self.names(path.parent)


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


def units(sites: Iterable[Site], links: Iterable[Link], files: Files) -> Mapping[str, tuple[Unit, ...]]:
    """Site id → the units it serves; a configuration that nothing is known to run is not in it."""
    own_blocks = (site for site in sites if not site.name.startswith(IN_LOCALS))
    speaking = [site for site in own_blocks if site.dialect == "terragrunt" and site.path.suffix == ".hcl"]
    if not speaking:
        return {}
    said = {(site.path, _block(site)) for site in speaking}
    includers = _includers(links, files)
    found = {}
    for site in speaking:
        served = [unit for unit in includers[site.path] if (unit, _block(site)) not in said]
        if site.path.name == "terragrunt.hcl" and not includers[site.path]:
            served = [site.path]
        if served:
            found[site.id] = tuple(_units(site, served, files))
    return found


def _block(site: Site) -> str:
    """The name of the block, whichever outcome of its choices the site is."""
    return site.name.partition("#")[0]


def _includers(links: Iterable[Link], files: Files) -> Mapping[PurePosixPath, list[PurePosixPath]]:
    """Included file → the units that include it."""
    found: dict[PurePosixPath, list[PurePosixPath]] = defaultdict(list)
    paths = _Shared(Frame.path)
    for link in links:
        unit = link.origin.path
        if link.kind == "include":
            path = paths.get(_beside(unit), link.target, partial(own, files, unit))
            if path and path != unit:
                found[path].append(unit)
    return found


def _units(site: Site, served: Iterable[PurePosixPath], files: Files) -> Iterator[Unit]:
    asked = [
        (setting.name, setting.value.why)
        for setting in site.settings
        if setting.by_name and setting.name in _TOLD and isinstance(setting.value, Unknown)
    ]
    facts = {name: _Shared(partial(_said, name)) for name, _ in asked}
    for unit in served:
        frame = partial(own, files, unit) if unit == site.path else partial(including, files, unit, site.path)
        beside = _beside(unit)
        told = ((name, facts[name].get(beside, written, frame)) for name, written in asked)
        yield Unit(unit.parent, {name: fact.value for name, fact in told if isinstance(fact, Known)})


def _said(name: str, frame: Frame, written: str) -> Fact[Scalar]:
    fact = frame.setting(written)
    return taken(name, fact.value, written) if isinstance(fact, Known) else fact
