"""What the version choices of a backend let in, held against the floor."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import TypeAlias

from migrate.model import Backend, Engine, Estate, Known, Pin, Place, Unknown
from migrate.versions import FLOORS, Constraints, Malformed, Release, admitted_below, common, parse


@dataclass(frozen=True, slots=True)
class Below:
    """A pin that lets in `release`, which is below the floor."""

    pin: Pin
    release: Release


@dataclass(frozen=True, slots=True)
class Unsaid:
    """No `required_version` at all: every release is let in."""


@dataclass(frozen=True, slots=True)
class Unclear:
    """A version that cannot be told from source, or is not understood."""

    where: Place
    why: str


Lapse: TypeAlias = Below | Unsaid | Unclear


def floor(estate: Estate, engine: Engine) -> Release:
    """The oldest release to admit: the operator's, else the default of the engine."""
    given = estate.floors.get(engine)
    read = Release.parse(given) if given else None
    return read if isinstance(read, Release) else FLOORS[engine]


def below(backend: Backend, least: Release) -> Iterator[Lapse]:
    """Everything that lets a release below the floor in, and everything that might.

    Several `required_version` must all hold, so they count together; without one, every release is let in.
    """
    yield from _constraints(backend, least)
    for pin in backend.pins:
        if pin.kind != "constraint":
            yield from _exact(pin, least)


def _constraints(backend: Backend, least: Release) -> Iterator[Lapse]:
    pins = [pin for pin in backend.pins if pin.kind == "constraint"]
    if not pins and backend.inputs[0].role == "partial":
        yield Unclear(backend.place, "the root that this partial configuration is for was not found")
        return
    read = []
    for pin in pins:
        constraints = parse(pin.version.value) if isinstance(pin.version, Known) else None
        match constraints:
            case None:
                yield Unclear(pin.place, f"{pin.plug} is no literal")
            case Malformed(why=why):
                yield Unclear(pin.place, why)
            case _:
                read.append((pin, constraints))
    if not pins:
        yield Unsaid()
    elif read:
        admitted = _admitted(tuple(constraints for _, constraints in read), least, backend.engine)
        if admitted:
            yield Below(read[-1][0], admitted)


@cache
def _admitted(constraints: tuple[Constraints, ...], least: Release, engine: Engine) -> Release | None:
    """An estate has few different constraints and many roots."""
    return admitted_below(common(constraints), least, engine)


def _exact(pin: Pin, least: Release) -> Iterator[Lapse]:
    if isinstance(pin.version, Unknown):
        yield Unclear(pin.place, pin.version.why)
        return
    release = Release.parse(pin.version.value)
    if isinstance(release, Malformed):
        yield Unclear(pin.place, f"{pin.plug} says {pin.version.value}, which is chosen at run time")
    elif release < least:
        yield Below(pin, release)
