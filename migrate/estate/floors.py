"""What the version choices of a backend let in, held against the floor."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from typing import Final, TypeAlias

from msgspec import Struct

from migrate.model import Backend, Estate, Known, Pin, Place, Role, Unknown
from migrate.versions import (
    FLOORS,
    TITLES,
    Constraints,
    Malformed,
    Release,
    Releases,
    Tool,
    admitted_below,
    chosen,
    common,
    newest,
    parse,
    straddles,
)


class Below(Struct, frozen=True):
    """A pin that lets in `release` of a tool, which is below the floor of that tool, `least`."""

    pin: Pin
    release: Release
    tool: Tool
    least: Release

    def __str__(self) -> str:
        return f"{TITLES[self.tool]} {self.release}, the floor is {self.least}"


class Unsaid(Struct, frozen=True):
    """No `required_version` at all: every release is let in."""


class Barred(Struct, frozen=True):
    """Constraints that no release fulfils together: nothing runs there, before the migration or after."""

    pin: Pin
    texts: tuple[str, ...]

    def __str__(self) -> str:
        return f"no release is admitted by {' together with '.join(self.texts)}"


class Unclear(Struct, frozen=True):
    """A version that cannot be told from source, or is not understood."""

    where: Place
    why: str


APART: Final = "Decide which of the constraints holds, and drop the other: nothing can run there."
Lapse: TypeAlias = Below | Unsaid | Barred | Unclear

_ROOTLESS: Final[Mapping[Role, str]] = {
    "partial": "the root that this partial configuration is for was not found",
    "flag": "the root that this command line is for was not found",
    "code": "which releases run what is made here is not known from source",
}
"""What has a lock and no `terraform` block of its own that could admit a release."""


def rootless(backend: Backend) -> bool:
    """Whether nothing that we know of could say which releases it admits."""
    return backend.inputs[0].role in _ROOTLESS


def floor(estate: Estate, tool: Tool) -> Release:
    """The oldest release to admit: the operator's for an engine, else the default of the tool."""
    given = None if tool == "terragrunt" else estate.floors.get(tool)
    read = Release.parse(given) if given else None
    return read if isinstance(read, Release) else FLOORS[tool]


def below(backend: Backend, estate: Estate) -> Iterator[Lapse]:
    """Everything that lets a release below its floor in, and everything that might.

    Several `required_version` must all hold, so they count together; without one, every release is let in.
    """
    of_engine, of_terragrunt = constraints(backend)
    if of_engine:
        yield from _let_in(of_engine, floor(estate, backend.engine), backend.engine)
    elif why := _ROOTLESS.get(backend.inputs[0].role):
        yield Unclear(backend.place, why)
    else:
        yield Unsaid()
    if of_terragrunt:
        yield from _let_in(of_terragrunt, FLOORS["terragrunt"], "terragrunt")
    for pin in backend.pins:
        if pin.kind != "constraint":
            tool = tool_of(pin, backend)
            yield from _chosen(pin, floor(estate, tool), tool)


def constraints(backend: Backend) -> tuple[list[Pin], list[Pin]]:
    """The constraints of the engine, and those of Terragrunt on itself."""
    pins = [pin for pin in backend.pins if pin.kind == "constraint"]
    return (
        [pin for pin in pins if pin.engine != "terragrunt"],
        [pin for pin in pins if pin.engine == "terragrunt"],
    )


def refusing(backend: Backend, least: Release) -> Iterator[Pin]:
    """The constraints of modules it calls that admit nothing from the floor on."""
    for pin in backend.module_pins:
        said = parse(pin.version.value) if isinstance(pin.version, Known) else None
        held = isinstance(said, Constraints) and not said.releases.since(least)
        if held and pin.engine in (None, backend.engine):
            yield pin


def tool_of(pin: Pin, backend: Backend) -> Tool:
    """Whose version it is: of a pin that does not say, the engine's of the backend."""
    return pin.engine or backend.engine


def _let_in(pins: Iterable[Pin], least: Release, tool: Tool) -> Iterator[Lapse]:
    read = []
    for pin in pins:
        said = parse(pin.version.value) if isinstance(pin.version, Known) else None
        match said:
            case None:
                yield Unclear(pin.place, f"{pin.plug} is no literal")
            case Malformed(why=why):
                yield Unclear(pin.place, why)
            case _:
                read.append((pin, said))
    if not read:
        return
    together = tuple(said for _, said in read)
    if not _common(together):
        yield Barred(read[-1][0], tuple(said.text for said in together))
    elif admitted := _admitted(together, least, tool):
        yield Below(read[-1][0], admitted, tool, least)


@cache
def _common(constraints: tuple[Constraints, ...]) -> Releases:
    """An estate has few different constraints and many roots."""
    return common(constraints)


@cache
def _admitted(constraints: tuple[Constraints, ...], least: Release, tool: Tool) -> Release | None:
    return admitted_below(_common(constraints), least, tool)


def _chosen(pin: Pin, least: Release, tool: Tool) -> Iterator[Lapse]:
    if isinstance(pin.version, Unknown):
        yield Unclear(pin.place, pin.version.why)
        return
    match _lapse(pin.version.value, least, tool):
        case Release() as release:
            yield Below(pin, release, tool, least)
        case str(why):
            yield Unclear(pin.place, f"{pin.plug} says {why}")
        case None:
            pass


@cache
def _lapse(text: str, least: Release, tool: Tool) -> Release | str | None:
    """The release below the floor that a text chooses, or why nobody can tell. Few texts serve many roots."""
    meant = chosen(text)
    if isinstance(meant, Malformed):
        return meant.why
    if straddles(meant, least):
        return f"{text}, which may choose a release on either side of {least}"
    return (newest(tool, meant) or meant.lowest) if meant.below(least) else None
