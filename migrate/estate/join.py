"""Found things of all repositories → stacks: every site in one of them, or idle with a reason."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import PurePosixPath
from typing import Final, TypeAlias

from migrate.estate import effective
from migrate.estate.engines import Engines
from migrate.estate.inputs import choices
from migrate.estate.roots import blocks, doubled, stands_alone
from migrate.estate.survey import Survey
from migrate.model import (
    Backend,
    Engine,
    Estate,
    Idle,
    Pin,
    Seen,
    Site,
    Stack,
    Stated,
    StateId,
    Unresolved,
)
from migrate.versions import Tool

PinsByRoot: TypeAlias = Mapping[PurePosixPath, list[Pin]]

NO_FLOORS: Final[Mapping[Engine, str]] = {}
"""The default floors of the engines hold."""


def join(
    surveys: Sequence[Survey],
    stated: Iterable[Stated] = (),
    seen: Iterable[Seen] = (),
    floors: Mapping[Engine, str] = NO_FLOORS,
) -> Estate:
    """Join what all repositories hold. The same state in two repositories is one stack."""
    backends, idle = [], []
    for survey in surveys:
        own, unused = _backends(survey)
        backends += own
        idle += unused
    readers = [site for survey in surveys for site in survey.sites if site.role == "reader"]
    return Estate(
        stacks=_stacks(backends, readers),
        mentions=tuple(mention for survey in surveys for mention in survey.mentions),
        problems=(
            *(problem for survey in surveys for problem in survey.problems),
            *(problem for survey in surveys for problem in doubled(survey)),
        ),
        pins=tuple(pin for survey in surveys for pin in survey.pins),
        runs=tuple(run for survey in surveys for run in survey.runs),
        stated=tuple(stated),
        seen=tuple(seen),
        idle=tuple(idle),
        floors=floors,
    )


def _backends(survey: Survey) -> tuple[list[Backend], list[Idle]]:
    roots, idle = blocks(survey)
    chosen, orphans = choices(survey, roots)
    pins, engines = _by_root(survey.pins), Engines(survey)
    found = [
        _backend(survey, pins, (block, *files), engine)
        for root, sites in roots.items()
        for block in sites
        for files in chosen.get(root, [()])
        for engine in engines.of(block)
    ]
    beside = [site for site in survey.sites if stands_alone(site)]
    alone = [*orphans, *(site for site in beside if site.settings)]
    found += [_backend(survey, pins, (site,), engines.of(site)[0]) for site in alone]
    idle += [Idle(site, _UNREAD) for site in beside if not site.settings]
    return found, idle


_UNREAD: Final = "it names the lock; what is built from it is not known from source"


def _backend(survey: Survey, pins: PinsByRoot, inputs: tuple[Site, ...], engine: Engine) -> Backend:
    settings = effective.joined(inputs)
    block = inputs[0]
    served = "" if block.root == block.path.parent else f"@{block.root}"
    choice = served + "".join(f"+{site.path}" for site in inputs[1:])
    return Backend(
        repo=survey.repo,
        root=block.root,
        inputs=inputs,
        settings=settings,
        lock=effective.lock(settings, complete=effective.is_complete(settings)),
        state=effective.state(settings, block, choice),
        table=effective.table(settings),
        engine=engine,
        pins=tuple(_pins(pins, block, engine)),
        units=block.units,
    )


def _by_root(pins: Iterable[Pin]) -> PinsByRoot:
    found: dict[PurePosixPath, list[Pin]] = defaultdict(list)
    for pin in pins:
        found[pin.root].append(pin)
    return found


def _pins(pins: PinsByRoot, block: Site, engine: Engine) -> Iterator[Pin]:
    """All constraints of the root itself, and of each other kind the pins that hold there.

    Those are every pin that holds everywhere below its directory, and of the files that switch versions by
    directory the nearest at or above the root. Terragrunt's own count where it makes the backend.
    """
    engines = (None, engine, "terragrunt") if block.dialect == "terragrunt" else (None, engine)
    chosen: set[tuple[str, Tool | None]] = set()
    for directory in (block.root, *block.root.parents):
        able = [pin for pin in pins.get(directory, ()) if pin.engine in engines]
        yield from (pin for pin in able if pin.kind == "constraint" and directory == block.root)
        here = [pin for pin in able if pin.kind != "constraint" and (pin.plug, pin.engine) not in chosen]
        yield from here
        chosen.update((pin.plug, pin.engine) for pin in here if not pin.everywhere)


def _stacks(backends: Iterable[Backend], readers: Iterable[Site]) -> tuple[Stack, ...]:
    writing: dict[StateId | Unresolved, list[Backend]] = defaultdict(list)
    reading: dict[StateId | Unresolved, list[Site]] = defaultdict(list)
    for backend in backends:
        writing[backend.state].append(backend)
    for reader in readers:
        reading[effective.state(effective.joined([reader]), reader, "")].append(reader)
    return tuple(
        Stack(state, tuple(writing.get(state, ())), tuple(reading.get(state, ())))
        for state in sorted(writing.keys() | reading.keys(), key=str)
    )
