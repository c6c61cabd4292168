"""What the constraints of a root become, and which releases they then admit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Final, TypeAlias

from msgspec import Struct, field

from migrate.campaign.pinning.first import held as first_held
from migrate.estate.floors import below, constraints, floor, refusing, rootless
from migrate.model import Backend, Estate, Known, Pin, Refusal, Site
from migrate.versions import (
    FLOORS,
    Malformed,
    Refused,
    Release,
    Releases,
    Tool,
    common,
    parse,
    raised,
)
from migrate.wishes import assume

Texts: TypeAlias = tuple[tuple[Pin, str], ...]


class Bounds(Struct, frozen=True):
    """What a root's constraints become, and the releases that they then admit."""

    texts: Texts = ()
    first: str | None = None
    admitted: Mapping[Tool, Releases] = field(default_factory=dict)


def bounds_of(estate: Estate, backend: Backend, removed: Refusal | None) -> Bounds | Refusal:
    """The bounds of a root; `removed` is what `held_back` says of it."""
    least = floor(estate, backend.engine)
    if (
        removed
        and backend.engine == "terraform"
        and least >= Release(1, 10, 0)
        and any(below(backend, estate))
    ):
        return removed
    for pin in refusing(backend, least):
        why = f"the module here, which {backend.root} calls, admits nothing from {least} on"
        return Refusal(pin.place, why, "raise the module's own constraint first")
    of_engine, of_terragrunt = constraints(backend)
    engine = _raised(of_engine, least, backend.engine)
    if isinstance(engine, Refusal):
        return engine
    terragrunt = _raised(of_terragrunt, FLOORS["terragrunt"], "terragrunt")
    if isinstance(terragrunt, Refusal):
        return terragrunt
    first = None if engine or rootless(backend) else f">= {least}"
    if first and (held := first_held(backend.inputs[0], first)):
        return held
    left = admitted(engine, least) & admitted(known(backend.module_pins))
    releases: Mapping[Tool, Releases] = {
        "terraform": left,  # both are held against the same constraints
        "opentofu": left,
        "terragrunt": admitted(terragrunt),
    }
    return Bounds((*engine, *terragrunt), first, releases)


def _raised(pins: Sequence[Pin], least: Release, tool: Tool) -> Texts | Refusal:
    """The constraints as they let nothing below `least` in, each with its pin."""
    texts = tuple(pin.version.value for pin in pins if isinstance(pin.version, Known))
    if len(texts) < len(pins):
        return Refusal(pins[0].place, f"{pins[0].plug} is no literal", f"let it admit nothing below {least}")
    answer = raised(texts, least, tool) if texts else ()
    if isinstance(answer, Refused):
        remedy = f"decide which release to go to, and write >= {least} or newer"
        return Refusal(pins[0].place, answer.why, remedy)
    return tuple(zip(pins, answer, strict=True))


def admitted(texts: Texts, least: Release | None = None) -> Releases:
    """What all of these constraints admit, from `least` on."""
    return _common(tuple(text for _, text in texts), least)


@cache
def _common(texts: tuple[str, ...], least: Release | None) -> Releases:
    """Kept, because an estate has few different constraints and many roots."""
    read = [parse(text) for text in texts]
    admitted = common(constraints for constraints in read if not isinstance(constraints, Malformed))
    return admitted.since(least) if least else admitted


def known(pins: Sequence[Pin]) -> Texts:
    """The pins that are known, as they are."""
    return tuple((pin, pin.version.value) for pin in pins if isinstance(pin.version, Known))


def held_back(sites: Sequence[Site], *, after_assuming: bool) -> Refusal | None:
    """Whether a root, its readers included, has arguments that Terraform no longer takes."""
    for site in sites:
        gone = assume.removed(site)
        if gone and not (after_assuming and assume.movable(site)):
            return Refusal(site.place, assume.told(gone), _ASSUME)
    return None


_ASSUME: Final = "tfrelock edit --phase assume-role first, and merge both together"
