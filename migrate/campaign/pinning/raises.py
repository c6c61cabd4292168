"""What the pin step wants: for every root, what each of its pins becomes, or why the root stays as it is.

A constraint above the release that a pipeline installs stops the pipeline, so the pins of a root go together:
all or none. A pin may serve many roots, and then it goes only where all of them can.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from pathlib import PurePosixPath
from typing import Final, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from migrate.campaign.editing.targets import closure
from migrate.campaign.pinning.bounds import Bounds, Texts, bounds_of, held_back
from migrate.campaign.pinning.moves import Moves, moves, serves
from migrate.estate.roots import RootId, root_of
from migrate.grouping import grouped
from migrate.model import Backend, Estate, Known, Pin, Refusal, RepoId
from migrate.text import Span


class Raise(Struct, frozen=True):
    """What a root's pins become: new texts, and a first constraint where it has none."""

    backend: Backend
    texts: Texts
    first: str | None = None


Answer: TypeAlias = Raise | Refusal
PinId: TypeAlias = tuple[RepoId, PurePosixPath, Span]
_SHARED: Final = "it shares a pin with a root that cannot be raised"
_APART: Final = "raise that root, or give this one a version file"


def raises(estate: Estate, *, after_assuming: bool = False) -> Mapping[RootId, Answer]:
    """For every root that lets a release below the floor in: how to raise it, or why not.

    `after_assuming`: once the step before, assume-role, has moved what it can.
    """
    roots = _roots(estate)
    every = (reader for stack in estate.stacks for reader in stack.readers)
    readers = grouped(every, lambda reader: (reader.repo, reader.root))
    held = partial(held_back, after_assuming=after_assuming)
    bounds = {
        root: bounds_of(estate, one, held((*one.inputs, *readers.get((one.repo, one.root), ()))))
        for root, one in roots.items()
    }
    moved = dict(moves(estate, roots, bounds))
    answers = {root: _answer(backend, bounds[root], moved) for root, backend in roots.items()}
    return dict(_together(roots, answers, moved))


def _roots(estate: Estate) -> Mapping[RootId, Backend]:
    """One backend for each root, with the pins that hold here, and those that what git ignores hides here."""
    found: dict[RootId, Backend] = {}
    for backend in estate.backends:
        root = root_of(backend)
        known = found.setdefault(root, backend)
        if backend.pins != known.pins:
            found[root] = replace(known, pins=tuple(dict.fromkeys((*known.pins, *backend.pins))))
    return found


def _answer(backend: Backend, bounds: Bounds | Refusal, moves: Moves) -> Answer | None:
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
    groups = [
        bound(root, (pin for pin in backend.pins if pin in moves and serves(pin, backend)))
        for root, backend in roots.items()
    ]
    refused = (root for root, answer in answers.items() if isinstance(answer, Refusal))
    fallen = closure(refused, groups)
    for root, answer in answers.items():
        if isinstance(answer, Raise) and root in fallen:
            yield root, shared_pin(answer.backend)
        elif answer:
            yield root, answer


def bound(root: RootId, pins: Iterable[Pin]) -> set[RootId | PinId]:
    """What falls together: a root and its pins, which other roots of its repository may share."""
    return {root, *((pin.repo, pin.path, pin.span) for pin in pins)}


def shared_pin(backend: Backend) -> Refusal:
    """Why a root stays as it is that could be raised by itself."""
    return Refusal(backend.place, _SHARED, _APART)
