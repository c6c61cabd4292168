"""The pin step: what `raises` wants of every root as texts, a root's pins all together or none of them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain

from migrate import pins
from migrate.campaign import first
from migrate.campaign.edit import Outcome, outcome
from migrate.campaign.inventory import Inventory
from migrate.campaign.narrowing import Narrowing
from migrate.campaign.raises import Raise, RootId, raises, root_of
from migrate.campaign.texts import File, Sources, changed, composed, differences, sources_of
from migrate.estate.floors import floor, least_of, tool_of
from migrate.model import Estate, Place, Refusal, Suggestion, Unknown
from migrate.text import Op
from migrate.versions import EVERY_RELEASE, best


def edit(inventories: Sequence[Inventory], estate: Estate, narrowing: Narrowing) -> Outcome:
    """Raise the pins of every root that is selected."""
    sources = sources_of(inventories)
    ops: dict[File, list[Op]] = defaultdict(list)
    refusals: set[Refusal] = set()
    selected = _selected(estate, narrowing)
    for answer in (answer for root, answer in raises(estate).items() if root in selected):
        refusals |= {answer} if isinstance(answer, Refusal) else _collect(answer, sources, ops)
    texts, conflicts = composed(sources, ops)
    refusals |= {Refusal(Place(*file, 1), why, "edit this file by hand") for file, why in conflicts.items()}
    suggestions = {suggestion.where: suggestion for suggestion in _suggestions(estate, narrowing)}
    files = changed(sources, texts, differences(sources, texts))
    return outcome(files, [*refusals, *suggestions.values()])


def _selected(estate: Estate, narrowing: Narrowing) -> set[RootId]:
    backends = (backend for stack in estate.stacks for backend in stack.backends)
    return {root_of(backend) for backend in backends if narrowing.selects(backend.inputs[0])}


def _collect(answer: Raise, sources: Sources, ops: dict[File, list[Op]]) -> set[Refusal]:
    """Add the operations of one root, or say why there are none."""
    texts = sources[answer.backend.repo]
    edits = [pins.BY_NAME[pin.plug].edit(texts, pin, text) for pin, text in answer.texts]
    if answer.first:
        edits.append(first.insert(answer.backend.inputs[0], answer.first, sources))
    refusals = {_refusal(edit) for edit in edits if isinstance(edit, Refusal | Suggestion)}
    if not refusals:
        for path, wanted in chain.from_iterable(edit.items() for edit in edits if isinstance(edit, Mapping)):
            ops[answer.backend.repo, path] += wanted
    return refusals


def _refusal(answer: Refusal | Suggestion) -> Refusal:
    """A pin that we may only speak of holds its root as one that we cannot edit does."""
    return answer if isinstance(answer, Refusal) else Refusal(answer.where, answer.why, answer.text)


def _suggestions(estate: Estate, narrowing: Narrowing) -> Iterator[Suggestion]:
    """What to choose where source does not say what is chosen."""
    for stack in estate.stacks:
        for backend in stack.backends:
            for pin in backend.pins if narrowing.selects(backend.inputs[0]) else ():
                if isinstance(pin.version, Unknown) and pin.kind != "constraint":
                    least = least_of(pin, floor(estate, backend.engine))
                    to = best(tool_of(pin, backend), least, EVERY_RELEASE) or least
                    yield Suggestion(
                        pin.place, f"let it choose {to}, or any from {least} on", pin.version.why
                    )
