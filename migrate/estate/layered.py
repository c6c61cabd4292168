"""Configurations that maps of several files make together, as the inputs of one backend each."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set
from pathlib import PurePosixPath
from typing import Final

from msgspec.structs import replace

from migrate.estate.survey import Survey
from migrate.exclusion import Word, all_exclude
from migrate.grouping import grouped
from migrate.model import Backend, Idle, Known, Layered, Scalar, Setting, Site, Stack, Unknown
from migrate.settings import DECISIVE, IMPORTED
from migrate.text import Span


def composed(survey: Survey) -> Iterator[tuple[Site, ...]]:
    """The maps of each configuration, later ones win; the first has its directory and what is a default."""
    named = {(site.path, site.name): site for site in survey.sites}
    for one in survey.layers:
        inputs = tuple(_inputs(one, named))
        if inputs:
            yield _of_root(inputs[0], one), *inputs[1:]


def _of_root(first: Site, one: Layered) -> Site:
    """The first layer in the directory that all are for, with what is a default."""
    prefix = [Setting("workspace_key_prefix", one.prefix, *_nowhere(first))] if one.prefix else []
    return replace(first, root=one.root, units=one.units, settings=(*prefix, *first.settings))


def _inputs(one: Layered, named: Mapping[tuple[PurePosixPath, str], Site]) -> Iterator[Site]:
    """What may come in between two maps is said with the one behind it, which wins over that."""
    why, sites = "", list[Site]()
    for layer in one.layers:
        site = named.get((layer.path, layer.name))
        why = why if layer.name else layer.why
        if site:
            sites.append(replace(site, settings=(*_possible(site, why), *_written(site, dict(one.said)))))
            why = ""
    if why and sites:
        sites[-1] = replace(sites[-1], settings=(*sites[-1].settings, *_possible(sites[-1], why)))
    yield from sites


def _written(site: Site, said: Mapping[str, Scalar]) -> Iterator[Setting]:
    """What it says itself: Atmos' layers may hold aliases, which stay; those of Terragrunt are layers."""
    for setting in site.settings:
        if setting.value == IMPORTED or (site.dialect == "terragrunt" and not setting.by_name):
            continue
        unknown = isinstance(setting.value, Unknown) and setting.name in said
        yield replace(setting, value=Known(said[setting.name])) if unknown else setting


def in_layers(survey: Survey) -> frozenset[tuple[PurePosixPath, str, PurePosixPath]]:
    """File, name and directory of each site that is but one of several layers there."""
    return frozenset((layer.path, layer.name, one.root) for one in survey.layers for layer in one.layers)


def _possible(site: Site, why: str) -> Sequence[Setting]:
    return [Setting(name, Unknown(why), *_nowhere(site)) for name in DECISIVE] if why else []


def _nowhere(site: Site) -> tuple[Span, Span]:
    at = Span(site.span.start, site.span.start)
    return at, at


def filled_by_layers(survey: Survey) -> Set[PurePosixPath]:
    """The directories whose empty blocks are filled in from the stacks."""
    return {one.root for one in survey.layers if one.filled}


def left_to_layers(sites: Sequence[Site]) -> tuple[list[Site], list[Idle]]:
    """The blocks of such a directory that count, and those that are filled in."""
    return [s for s in sites if s.settings], [Idle(s, _FILLED) for s in sites if not s.settings]


_FILLED: Final = "Atmos writes this backend from the stacks"


def place_in_state(backend: Backend) -> object:
    """What tells writers of one bucket and key apart: Atmos runs a component in workspaces of its own."""
    prefix = backend.settings.get("workspace_key_prefix")
    return prefix.value if prefix and backend.inputs[0].dialect == "atmos" else None


def in_one_place(stack: Stack) -> Iterator[Sequence[Backend]]:
    """The writers of a stack, those together that write the same objects of its bucket and key."""
    yield from grouped(stack.backends, place_in_state).values()


def excludes(stack: Stack) -> Word:
    """Whether all writers that may meet exclude each other; `unknown` also where there is none."""
    words = {all_exclude(backends) for backends in in_one_place(stack)}
    return "no" if "no" in words else "unknown" if "unknown" in words or not words else "yes"
