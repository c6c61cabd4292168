"""The pin step: what `raises` wants of every root as texts, a root's pins all together or none of them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import PurePosixPath

from migrate import pins
from migrate.campaign.editing.edit import EditResult, Limits, edit_result
from migrate.campaign.editing.targets import closure
from migrate.campaign.editing.texts import (
    File,
    Sources,
    Texts,
    changed,
    composed,
    differences,
    sources_of,
)
from migrate.campaign.pinning import first
from migrate.campaign.pinning.pin_votes import strayed
from migrate.campaign.pinning.raises import Answer, PinId, Raise, bound, raises, shared_pin
from migrate.campaign.reading.inventory import Inventory
from migrate.campaign.reading.narrowing import Narrowing
from migrate.estate.floors import floor, tool_of
from migrate.estate.roots import RootId, root_of
from migrate.model import Estate, Pin, Place, Refusal, Source, Suggestion, Unknown
from migrate.plug import Edits
from migrate.sites import made_by
from migrate.text import Op
from migrate.versions import EVERY_RELEASE, Release, Releases, Tool, best, better, chosen, straddles


def edit(inventories: Sequence[Inventory], estate: Estate, limits: Limits) -> EditResult:
    """Raise the pins of every root that is selected, and suggest what to choose where source does not say."""
    sources, selects = sources_of(inventories), limits.narrowing.selects
    selected = {root_of(backend) for backend in estate.backends if selects(backend.inputs[0])}
    answers = {root: answer for root, answer in raises(estate).items() if root in selected}
    texts, refusals = _made(inventories, answers, limits)
    suggestions = {suggestion.where: suggestion for suggestion in _suggestions(estate, limits.narrowing)}
    files = changed(sources, texts, differences(sources, texts, limits.each))
    return edit_result(files, [*refusals, *suggestions.values()])


def _made(
    inventories: Sequence[Inventory], answers: Mapping[RootId, Answer], limits: Limits
) -> tuple[Texts, Iterable[Refusal]]:
    """The new texts, and why other roots are not raised. One that is refused keeps back all that share a pin
    with it, and no text is given out before its pins, found anew, say what was wished and else what they did.
    """
    sources = sources_of(inventories)
    wanted = {root: answer for root, answer in answers.items() if isinstance(answer, Raise)}
    edits = {root: _edits(answer, sources, limits) for root, answer in wanted.items()}
    tried = (*answers.items(), *edits.items())
    refused = {root: answer for root, answer in tried if isinstance(answer, Refusal)}
    while True:
        fallen = closure(refused, map(_bound, wanted.values()))
        kept = {root: answer for root, answer in wanted.items() if root not in fallen}
        texts, wrong = composed(sources, _by_file(kept, edits))
        wrong |= strayed(inventories, texts, kept.values())
        if not wrong:
            others = (root for root in wanted if root in fallen and root not in refused)
            return texts, dict.fromkeys((*refused.values(), *(shared_pin(wanted[r].backend) for r in others)))
        odd = [(root, answer) for root, answer in kept.items() if _files(answer) & wrong.keys()]
        refused |= {root: _odd(answer, wrong) for root, answer in odd}


def _edits(answer: Raise, sources: Sources, limits: Limits) -> list[Edits] | Refusal:
    """The operations for each pin of one root, or why there are none."""
    texts = sources[answer.backend.repo]
    for place in _places(answer):
        if held := limits.local(place) or _generated(place, texts):
            return held
    edits: list[Edits] = []
    asked = [pins.BY_NAME[pin.plug].edit(texts, pin, text) for pin, text in answer.texts]
    if answer.first:
        asked.append(first.insert(answer.backend.inputs[0], answer.first, sources))
    for edit in asked:
        if isinstance(edit, Refusal | Suggestion):
            return _refusal(edit)
        edits.append(edit)
    return edits


def _generated(place: Place, texts: Mapping[PurePosixPath, Source]) -> Refusal | None:
    """What a generator writes it writes anew, without the edit."""
    said = made_by(texts[place.path])
    return Refusal(place, said, "change what generates it") if said else None


def _refusal(answer: Refusal | Suggestion) -> Refusal:
    """A pin that we may only speak of holds its root as one that we cannot edit does."""
    return answer if isinstance(answer, Refusal) else Refusal(answer.where, answer.why, answer.text)


def _places(answer: Raise) -> Iterator[Place]:
    yield from (pin.place for pin, _ in answer.texts)
    if answer.first:
        yield answer.backend.place


def _files(answer: Raise) -> set[File]:
    return {(place.repo, place.path) for place in _places(answer)}


def _bound(answer: Raise) -> set[RootId | PinId]:
    return bound(root_of(answer.backend), (pin for pin, _ in answer.texts))


def _by_file(
    kept: Mapping[RootId, Raise], edits: Mapping[RootId, list[Edits] | Refusal]
) -> Mapping[File, list[Op]]:
    ops: dict[File, list[Op]] = defaultdict(list)
    for root, answer in kept.items():
        of_root = edits[root]
        for edit in () if isinstance(of_root, Refusal) else of_root:
            for path, wanted in edit.items():
                ops[answer.backend.repo, path] += wanted
    return ops


def _odd(answer: Raise, wrong: Mapping[File, str]) -> Refusal:
    place = next(place for place in _places(answer) if (place.repo, place.path) in wrong)
    return Refusal(place, wrong[place.repo, place.path], "edit this file by hand")


def _suggestions(estate: Estate, narrowing: Narrowing) -> Iterator[Suggestion]:
    """What to choose where source does not say what is chosen, or not which side of the floor."""
    for backend in estate.backends:
        for pin in backend.pins if narrowing.selects(backend.inputs[0]) else ():
            tool = tool_of(pin, backend)
            least = floor(estate, tool)
            if why := _open(pin, least, tool):
                to = best(tool, least, EVERY_RELEASE) or least
                yield Suggestion(pin.place, f"let it choose {to}, or any from {least} on", why)


def _open(pin: Pin, least: Release, tool: Tool) -> str | None:
    """Why nobody can tell whether a pin chooses a release from the floor on, and no edit settles it."""
    if pin.kind == "constraint":
        return None
    if isinstance(pin.version, Unknown):
        return pin.version.why
    meant = chosen(pin.version.value)
    both = isinstance(meant, Releases) and straddles(meant, least)
    left = both and better(pin.version.value, least, tool, EVERY_RELEASE) is None
    return f"{pin.version.value} may choose a release on either side of {least}" if left else None
