"""Maps in the locals of one file that other files make their `remote_state` of.

Such a map is edited where it stands, if all that speak of it are known to make a backend of it.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import PurePosixPath
from typing import TypeAlias

from migrate.campaign.reading.tree import Tree
from migrate.evaluation.terragrunt import including, origin, own
from migrate.model import Layer, Layered, Site, Unit, Unknown
from migrate.settings import IN_LOCALS
from migrate.text import Span

Place: TypeAlias = tuple[PurePosixPath, str]
"""A file, and the local in it."""


def backends_of_maps(
    sites: Sequence[Site], units: Mapping[str, tuple[Unit, ...]], files: Tree
) -> tuple[Layered, ...]:
    """The configuration of each unit whose `remote_state` is such a map, alone or merged with more."""
    maps = {(site.path, site.name.removeprefix(IN_LOCALS)) for site in sites if is_map(site)}
    if not maps:
        return ()
    blocks = [site for site in sites if not is_map(site)]
    read = [found for site in blocks for found in _read(site, units.get(site.id, ()), files)]
    readers: dict[str, dict[PurePosixPath, set[Span]]] = defaultdict(lambda: defaultdict(set))
    for (_, name), site, _unit in read:
        readers[name][site.path].add(site.span)
    known = {name for name in readers if _only(name, readers[name], files)}
    return tuple(_layered(*found) for found in read if found[0] in maps and found[0][1] in known)


def is_map(site: Site) -> bool:
    """Whether a site is a map in the locals of a file: a backend only where another file makes one of it."""
    return site.dialect == "terragrunt" and site.name.startswith(IN_LOCALS)


def without_unread(sites: Iterable[Site], layers: Iterable[Layered]) -> list[Site]:
    """The sites without the maps that no backend is made of."""
    used = {(layer.path, layer.name) for one in layers for layer in one.layers}
    return [site for site in sites if not is_map(site) or (site.path, site.name) in used]


def _read(site: Site, units: Iterable[Unit], files: Tree) -> Iterator[tuple[Place, Site, Unit]]:
    expression = _borrowed(site)
    for unit in units if expression else ():
        path = unit.directory / "terragrunt.hcl"
        frame = own(files, path) if path == site.path else including(files, path, site.path)
        place = origin(frame, expression) if frame else None
        if place:
            yield (files.real(place[0]), place[1]), site, unit


def _borrowed(site: Site) -> str:
    """The one expression that more of its arguments come out of, before or behind those that it names itself;
    empty where it is not so.
    """
    if site.dialect != "terragrunt":
        return ""
    named = [setting.by_name for setting in site.settings]
    whys = {s.value.why for s in site.settings if not s.by_name and isinstance(s.value, Unknown)}
    return whys.pop() if len(whys) == 1 and named in (sorted(named), sorted(named, reverse=True)) else ""


def _only(name: str, readers: Mapping[PurePosixPath, Iterable[Span]], files: Tree) -> bool:
    """Whether nothing speaks of a map of that name but these readers: as `….name`, or in quotes."""
    word = re.compile(rf'(?:\.\s*|"){re.escape(name)}(?![\w-])')
    for path, text in files.holding(name):
        spans = readers.get(path, ())
        found = (match.start() for match in word.finditer(text) if path.suffix == ".hcl")
        if any(not any(span.start <= at < span.end for span in spans) for at in found):
            return False
    return True


def _layered(place: Place, site: Site, unit: Unit) -> Layered:
    """What is written before the map loses against it, what is written behind wins."""
    layers = Layer(place[0], f"{IN_LOCALS}{place[1]}"), Layer(site.path, site.name)
    first = site.settings[0].by_name
    return Layered(
        root=unit.directory,
        layers=layers[::-1] if first else layers,
        filled=False,
        said=tuple(unit.values.items()),
    )
