"""Found things of all repositories → stacks: every site in one of them, or idle with a reason."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from msgspec.structs import replace

from migrate.estate import effective
from migrate.estate.configured import files_of
from migrate.estate.effective import names_lock, names_table
from migrate.estate.engines import Engines
from migrate.estate.floors import constraints
from migrate.estate.inputs import choices, used
from migrate.estate.layered import composed
from migrate.estate.pinned import Pinned
from migrate.estate.roots import blocks, doubled, misnamed, stands_alone
from migrate.estate.survey import Survey, shared
from migrate.estate.unread import unread
from migrate.grouping import grouped
from migrate.model import (
    Backend,
    Engine,
    Estate,
    Idle,
    Known,
    Lock,
    Seen,
    Site,
    Stack,
    Stated,
    Unknown,
)
from migrate.spelling.version_names import scope

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
        near={place: words for survey in surveys for place, words in survey.near.items()},
        problems=(
            *(problem for survey in surveys for problem in survey.problems),
            *(problem for survey in surveys for problem in (*doubled(survey), *misnamed(survey))),
        ),
        closed=tuple(problem for survey in surveys for problem in survey.closed),
        pins=tuple(pin for survey in surveys for pin in survey.pins),
        runs=tuple(run for survey in surveys for run in survey.runs),
        stated=tuple(stated),
        seen=tuple(seen),
        idle=tuple(idle),
        definitions=tuple(one for survey in surveys for one in survey.definitions),
        floors=floors,
    )


def _backends(survey: Survey) -> tuple[list[Backend], list[Idle]]:
    """The backends as they are here, and beside them as they are for everybody else: what git ignores must
    neither complete nor hide what is committed.
    """
    found, idle = _found(survey)
    if survey.local:
        here = {_choice(backend): backend for backend in found}
        found += [one for one in _found(shared(survey))[0] if not _is_known(one, here.get(_choice(one)))]
    return found, idle


def _choice(backend: Backend) -> tuple[object, ...]:
    return backend.root, backend.engine, *(site.id for site in backend.inputs)


def _is_known(committed: Backend, here: Backend | None) -> bool:
    """Whether what is told of a backend here tells all that is committed: a constraint of an ignored file
    may bar what everybody else's admits, and its version file hide theirs.
    """
    return (
        here is not None
        and constraints(committed) == constraints(here)
        and {*committed.pins} <= {*here.pins}
        and committed.module_pins == here.module_pins
    )


def _found(survey: Survey) -> tuple[list[Backend], list[Idle]]:
    roots, idle = blocks(survey)
    survey = replace(survey, backend_config=files_of(survey.backend_config, roots))
    chosen, orphans = choices(survey, roots)
    pins, engines = Pinned(survey), Engines(survey)
    doubts = unread(survey, roots, chosen)
    found = [
        _backend(survey, pins, (block, *files), engine, doubts.get(root))
        for root, sites in roots.items()
        for block in sites
        for files in chosen.get(root, [()])
        for engine in engines.of(block)
    ]
    several = list(composed(survey))
    found += [_backend(survey, pins, inputs, engines.of(inputs[0])[0]) for inputs in several]
    completing = {site.id for site in (*used(chosen), *(site for inputs in several for site in inputs))}
    beside = [site for site in survey.sites if stands_alone(site) and site.id not in completing]
    copied = {site.copy_of for site in survey.sites if site.role == "writer"}
    lockless = [site for site in beside if site.role == "flag" and not names_lock(site)]
    left = {*copied, *(site.id for site in lockless)}
    alone = [*orphans, *(site for site in beside if site.settings and site.id not in left)]
    found = [_doubted(backend, alone) for backend in found]
    found += [_backend(survey, pins, (site,), engines.of(site)[0]) for site in alone]
    idle += [Idle(site, _COPIED) for site in beside if site.id in copied]
    idle += [Idle(site, _UNREAD) for site in beside if not site.settings]
    idle += [Idle(site, _NO_LOCK) for site in lockless]
    return found, idle


_COPIED: Final = "what it generates is here: the backends are its copies"
_UNREAD: Final = "it names a lock or begins a backend; what is built from it is not known from source"
_NO_LOCK: Final = "flags that name no lock, for a root that is not known from source"


def _backend(
    survey: Survey, pins: Pinned, inputs: tuple[Site, ...], engine: Engine, doubt: Unknown | None = None
) -> Backend:
    settings = effective.joined(inputs)
    block = inputs[0]
    complete = effective.is_complete(settings) and block.role not in ("partial", "flag")  # those have a block
    served = "" if block.root == block.path.parent else f"@{block.root}"
    choice = served + "".join(f"+{_named(site)}" for site in inputs[1:])
    return Backend(
        repo=survey.repo,
        root=block.root,
        inputs=inputs,
        settings=settings,
        lock=doubt or effective.lock(settings, complete=complete),
        state=effective.state(settings, block, choice),
        table=effective.table(settings),
        engine=engine,
        pins=pins.of(block, engine),
        module_pins=pins.of_modules(block.root),
        units=block.units,
    )


def _doubted(backend: Backend, alone: Iterable[Site]) -> Backend:
    """A root that names no lock has none, unless a flag is given to a root that is not known."""
    flags = (site for site in alone if site.role == "flag" and names_table(site))
    near = (flag for flag in flags if backend.root.is_relative_to(scope(flag.path)))
    flag = next(near, None) if backend.lock == Known(Lock.NONE) else None
    why = "may be for this root: where it runs is not known from source"
    return replace(backend, lock=Unknown(f"the flag at {flag.place} {why}", _SAY)) if flag else backend


_SAY: Final = "name the table in the block, or run that command in a directory that its file says"


def _named(site: Site) -> str:
    """What tells an input from others: a file has one choice of arguments, but many maps."""
    return f"{site.path}#{site.name}" if site.role == "generator" else str(site.path)


def _stacks(backends: Iterable[Backend], readers: Iterable[Site]) -> tuple[Stack, ...]:
    writing = grouped(backends, lambda backend: backend.state)
    reading = grouped(readers, lambda reader: effective.state(effective.joined([reader]), reader, ""))
    return tuple(
        Stack(state, tuple(writing.get(state, ())), tuple(reading.get(state, ())))
        for state in sorted(writing.keys() | reading.keys(), key=str)
    )
