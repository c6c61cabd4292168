"""What the pin step wants: for every root, what each of its pins becomes, or why the root stays as it is.

A constraint above the release that a pipeline installs stops the pipeline, so the pins of a root go together:
all or none. A pin may serve many roots, and then it goes only where all of them can.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, partial
from pathlib import PurePosixPath
from typing import Final, TypeAlias

from msgspec import Struct, field

from migrate.campaign.editing.targets import closure
from migrate.campaign.pinning import first as first_
from migrate.estate.floors import below, constraints, floor, least_of, refusing, rootless, tool_of
from migrate.model import Backend, Estate, Known, Pin, Refusal, RepoId, Site
from migrate.rules import removed_argument
from migrate.versions import (
    EVERY_RELEASE,
    FLOORS,
    Malformed,
    Refused,
    Release,
    Releases,
    Tool,
    better,
    chosen,
    common,
    overlap,
    parse,
    raised_together,
)
from migrate.wishes import assume

RootId: TypeAlias = tuple[RepoId, str, str]
Texts: TypeAlias = tuple[tuple[Pin, str], ...]


class Raise(Struct, frozen=True):
    """What a root's pins become: new texts, and a first constraint where it has none."""

    backend: Backend
    texts: Texts
    first: str | None = None


Answer: TypeAlias = Raise | Refusal


class _Bounds(Struct, frozen=True):
    """What a root's constraints become, and the releases that they then admit."""

    texts: Texts = ()
    first: str | None = None
    admitted: Mapping[Tool, Releases] = field(default_factory=dict)


def root_of(backend: Backend) -> RootId:
    """Files that are copied to one name are configurations of one directory that never meet."""
    block = backend.inputs[0]
    where = block.path if block.dialect == "renamed" else backend.root
    return (backend.repo, str(where), backend.engine)


def raises(estate: Estate, *, after_assuming: bool = False) -> Mapping[RootId, Answer]:
    """For every root that lets a release below the floor in: how to raise it, or why not.

    `after_assuming`: once the step before, assume-role, has moved what it can.
    """
    roots = {root_of(backend): backend for stack in estate.stacks for backend in stack.backends}
    readers = _readers(estate)
    held = partial(_held_back, after_assuming=after_assuming)
    bounds = {
        root: _bounds(
            estate, backend, held((*backend.inputs, *readers.get((backend.repo, backend.root), ())))
        )
        for root, backend in roots.items()
    }
    moves = dict(_moves(estate, roots, bounds))
    answers = {root: _answer(backend, bounds[root], moves) for root, backend in roots.items()}
    return dict(_together(roots, answers, moves))


def _readers(estate: Estate) -> Mapping[tuple[RepoId, PurePosixPath], Sequence[Site]]:
    """The readers of other states by the root that they stand in."""
    found: dict[tuple[RepoId, PurePosixPath], list[Site]] = defaultdict(list)
    for stack in estate.stacks:
        for reader in stack.readers:
            found[reader.repo, reader.root].append(reader)
    return found


def _bounds(estate: Estate, backend: Backend, removed: Refusal | None) -> _Bounds | Refusal:
    least = floor(estate, backend.engine)
    if (
        removed
        and backend.engine == "terraform"
        and least >= Release(1, 10, 0)
        and any(below(backend, least))
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
    if first and (held := first_.held(backend.inputs[0], first)):
        return held
    admitted: Mapping[Tool, Releases] = {
        backend.engine: _admitted(engine, least) & _admitted(_known(backend.module_pins)),
        "terragrunt": _admitted(terragrunt),
    }
    return _Bounds((*engine, *terragrunt), first, admitted)


def _raised(pins: Sequence[Pin], least: Release, tool: Tool) -> Texts | Refusal:
    """The constraints as they let nothing below `least` in, each with its pin."""
    texts = tuple(pin.version.value for pin in pins if isinstance(pin.version, Known))
    if len(texts) < len(pins):
        return Refusal(pins[0].place, f"{pins[0].plug} is no literal", f"let it admit nothing below {least}")
    answer = raised_together(texts, least, tool) if texts else ()
    if isinstance(answer, Refused):
        remedy = f"decide which release to go to, and write >= {least} or newer"
        return Refusal(pins[0].place, answer.why, remedy)
    return tuple(zip(pins, answer, strict=True))


def _admitted(texts: Texts, least: Release | None = None) -> Releases:
    return _common(tuple(text for _, text in texts), least)


@cache
def _common(texts: tuple[str, ...], least: Release | None) -> Releases:
    """What all of them admit from `least` on. An estate has few different constraints and many roots."""
    read = [parse(text) for text in texts]
    admitted = common(constraints for constraints in read if not isinstance(constraints, Malformed))
    return admitted.since(least) if least else admitted


def _known(pins: Sequence[Pin]) -> Texts:
    """The pins that are known, as they are."""
    return tuple((pin, pin.version.value) for pin in pins if isinstance(pin.version, Known))


def _held_back(sites: Sequence[Site], *, after_assuming: bool) -> Refusal | None:
    """Whether a root, its readers included, has arguments that Terraform no longer takes."""
    for site in sites:
        gone = assume.removed(site)
        if gone and not (after_assuming and assume.movable(site)):
            return Refusal(site.place, removed_argument.said(one.name for one in gone), _ASSUME)
    return None


_ASSUME: Final = "tfrelock edit --phase assume-role first, and merge both together"

SHARED: Final = "it shares a pin with a root that cannot be raised"

Moves: TypeAlias = Mapping[Pin, "str | Refusal"]


def _moves(
    estate: Estate, roots: Mapping[RootId, Backend], bounds: Mapping[RootId, _Bounds | Refusal]
) -> Iterator[tuple[Pin, str | Refusal]]:
    """What every choice of a release becomes that is below its floor, or breaks something."""
    holding: dict[Pin, list[RootId]] = defaultdict(list)
    for root, backend in roots.items():
        for pin in backend.pins:
            if pin.kind == "exact":
                holding[pin].append(root)
    for pin, holders in holding.items():
        backend = roots[holders[0]]
        served = [root for root in holders if serves(pin, roots[root])]
        least = least_of(pin, floor(estate, backend.engine))
        move = _moved(pin, least, tool_of(pin, backend), [bounds[root] for root in served or holders])
        if move is not None:
            yield pin, move


def serves(pin: Pin, backend: Backend) -> bool:
    """Whether the root's own constraints admit what the pin chooses: else that cannot be in use there."""
    of_engine, of_terragrunt = constraints(backend)
    own = of_terragrunt if pin.engine == "terragrunt" else of_engine
    meant = chosen(pin.version.value) if isinstance(pin.version, Known) else EVERY_RELEASE
    return not isinstance(meant, Malformed) and bool(meant & _admitted(_known(own)))


def _moved(pin: Pin, least: Release, tool: Tool, bounds: Sequence[_Bounds | Refusal]) -> str | Refusal | None:
    """None where it may stay, or nobody can tell what it chooses."""
    meant = chosen(pin.version.value) if isinstance(pin.version, Known) else EVERY_RELEASE
    if isinstance(meant, Malformed) or not isinstance(pin.version, Known):
        return None
    held = next((bound for bound in bounds if isinstance(bound, Refusal)), None)
    able = [bound.admitted.get(tool, EVERY_RELEASE) for bound in bounds if isinstance(bound, _Bounds)]
    text = better(pin.version.value, least, tool, overlap(able))
    if text == pin.version.value or (meant.below(least) and meant.since(least)):
        return None
    if held:
        return Refusal(pin.place, f"it serves {held.where}, where {held.why}", held.remedy)
    return text or Refusal(pin.place, f"no known {tool} from {least} on is admitted", "choose one by hand")


def _answer(backend: Backend, bounds: _Bounds | Refusal, moves: Moves) -> Answer | None:
    """One refusal holds all pins of the root."""
    if isinstance(bounds, Refusal):
        return bounds
    texts = [(pin, text) for pin, text in bounds.texts if pin.version != Known(text)]
    for pin in backend.pins:
        match moves.get(pin):
            case Refusal() as refusal:
                if serves(pin, backend):
                    return refusal
            case str(text):
                texts.append((pin, text))
            case None:
                pass
    return Raise(backend, tuple(texts), bounds.first) if texts or bounds.first else None


def _together(
    roots: Mapping[RootId, Backend], answers: Mapping[RootId, Answer | None], moves: Moves
) -> Iterator[tuple[RootId, Answer]]:
    """The answers, without those of roots that share a pin with one that stays as it is."""
    groups = {
        root: {str(root), *(_id(pin) for pin in backend.pins if pin in moves and serves(pin, backend))}
        for root, backend in roots.items()
    }
    refused = {str(root) for root, answer in answers.items() if isinstance(answer, Refusal)}
    fallen = closure(refused, groups.values())
    for root, answer in answers.items():
        if isinstance(answer, Raise) and str(root) in fallen:
            yield (
                root,
                Refusal(answer.backend.place, SHARED, "raise that root, or give this one a version file"),
            )
        elif answer:
            yield root, answer


def _id(pin: Pin) -> str:
    return f"{pin.place}#{pin.span.start}"
