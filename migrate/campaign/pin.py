"""The pin step: every root's constraints raised to the floor, by the least change that reads as before."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from migrate import pins
from migrate.campaign.edit import Outcome
from migrate.campaign.inventory import Inventory
from migrate.campaign.narrowing import Narrowing
from migrate.campaign.texts import File, Sources, composed, sources_of
from migrate.estate.floors import below, constraints, floor
from migrate.model import Backend, Estate, Known, Pin, Place, Refusal, Suggestion
from migrate.pins import required_version
from migrate.proof import difference
from migrate.report import EditedFile
from migrate.rules import removed_argument
from migrate.text import Op
from migrate.versions import Refused, Release, raised_together


@dataclass(frozen=True, slots=True)
class Raise:
    """What a root's constraints become: new texts for its pins, or a first constraint where it has none."""

    backend: Backend
    texts: tuple[tuple[Pin, str], ...]
    first: str | None = None


Answer: TypeAlias = Raise | Refusal


def raises(estate: Estate) -> Iterator[Answer]:
    """For every root that lets a release below the floor in: how to raise it, or why not."""
    seen = set()
    for stack in estate.stacks:
        for backend in stack.backends:
            root = (backend.repo, backend.root, backend.engine)
            if root not in seen:
                seen.add(root)
                yield from _raise(estate, backend)


def _raise(estate: Estate, backend: Backend) -> Iterator[Answer]:
    least = floor(estate, backend.engine)
    of_engine, _ = constraints(backend)
    lapses = list(below(replace(backend, pins=tuple(of_engine)), least))
    if not lapses:
        return
    removed = removed_arguments(estate, backend)
    if removed and least >= Release(1, 10, 0):
        yield removed
    elif not of_engine:
        yield Raise(backend, (), f">= {least}")
    else:
        yield _raised(backend, of_engine, least)


def _raised(backend: Backend, pins: Sequence[Pin], least: Release) -> Answer:
    texts = [pin.version.value for pin in pins if isinstance(pin.version, Known)]
    place = pins[0].place
    if len(texts) < len(pins):
        return Refusal(place, "required_version is no literal", f"let it admit nothing below {least}")
    answer = raised_together(texts, least, backend.engine)
    if isinstance(answer, Refused):
        return Refusal(place, answer.why, f"decide which release to go to, and write >= {least} or newer")
    return Raise(backend, tuple(zip(pins, answer, strict=True)))


def removed_arguments(estate: Estate, backend: Backend) -> Refusal | None:
    """Whether the root, its readers included, has arguments that the floor's release refuses."""
    if backend.engine != "terraform":
        return None
    readers = [reader for stack in estate.stacks for reader in stack.readers]
    beside = [r for r in readers if (r.repo, r.root) == (backend.repo, backend.root)]
    for site in (*backend.inputs, *beside):
        names = [name for name in removed_argument.REMOVED if site.setting(name)]
        if names:
            return Refusal(site.place, removed_argument.said(names), removed_argument.block(site, names))
    return None


def edit(inventories: Sequence[Inventory], estate: Estate, narrowing: Narrowing) -> Outcome:
    """Raise the constraints of every root that is selected."""
    sources = sources_of(inventories)
    ops: dict[File, list[Op]] = defaultdict(list)
    refusals: list[Refusal] = []
    for answer in raises(estate):
        match answer:
            case Refusal():
                refusals.append(answer)
            case Raise(backend) if narrowing.selects(backend.inputs[0]):
                refusals += _collect(answer, sources, ops)
            case _:
                pass
    texts, conflicts = composed(sources, ops)
    refusals += [Refusal(Place(*file, 1), why, "edit this file by hand") for file, why in conflicts.items()]
    files = tuple(
        EditedFile(repo, path, sources[repo][path].text, after, difference(sources[repo][path], after))
        for (repo, path), after in sorted(texts.items())
    )
    return Outcome(files, tuple(sorted(refusals, key=lambda r: r.where)), ())


def _collect(answer: Raise, sources: Sources, ops: dict[File, list[Op]]) -> list[Refusal]:
    repo = answer.backend.repo
    refusals = []
    for pin, text in answer.texts:
        edits = pins.BY_NAME[pin.plug].edit(sources[repo], pin, text)
        match edits:
            case Refusal():
                refusals.append(edits)
            case Suggestion(where, suggested, why):
                refusals.append(Refusal(where, why, suggested))
            case _:
                for path, wanted in edits.items():
                    ops[repo, path] += wanted
    if answer.first:
        refusals += _first(answer, sources, ops)
    return refusals


def _first(answer: Raise, sources: Sources, ops: dict[File, list[Op]]) -> list[Refusal]:
    site = answer.backend.inputs[0]
    constraint = answer.first or ""
    if site.why_not:
        return [Refusal(site.place, site.why_not, f'add required_version = "{constraint}" by hand')]
    edits = required_version.insert(sources[site.repo][site.path], site.span, constraint)
    for path, wanted in edits.items():
        ops[site.repo, path] += wanted
    if not edits:
        why = "no terraform block of this root is in a file that takes required_version"
        return [Refusal(site.place, why, f'add required_version = "{constraint}" to the root')]
    return []
