"""Whether raised pins say what was wished, and nothing else has changed: two votes on every new text.

The pins are found anew by the kinds of files that know them, and the second parser, where it reads the file,
may see other values, but none that is gone, and none that is new but a first constraint.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import PurePosixPath
from typing import Final, TypeAlias

from migrate.campaign.editing.texts import File, Texts
from migrate.campaign.pinning.raises import Raise
from migrate.campaign.reading.inventory import Inventory
from migrate.model import Fact, Known, Pin, Source
from migrate.pins import PINS
from migrate.plug import items
from migrate.proof import Proof, difference
from migrate.versions import Tool

_FOUND: Final = "found anew, its versions are not those that were wished for"
_SEEN: Final = "the second parser sees more differ than versions"
_FIRST: Final = ("required_version", "terraform_version_constraint", "terraform")

_Said: TypeAlias = tuple[str, str, Tool | None, str, PurePosixPath]


def strayed(inventories: Sequence[Inventory], texts: Texts, kept: Iterable[Raise]) -> dict[File, str]:
    """The files whose new text is not the old one with the wishes in it, each with the reason."""
    wishes = {pin: text for answer in kept for pin, text in answer.texts}
    firsts = {
        (answer.backend.repo, answer.backend.place.path): answer.first for answer in kept if answer.first
    }
    wrong: dict[File, str] = {}
    for inventory in inventories:
        for (repo, path), text in texts.items():
            if repo == inventory.survey.repo:
                source = inventory.sources[path]
                pins = [pin for pin in inventory.survey.pins if pin.path == path and pin.kind != "asked"]
                why = _strayed(source, text, pins, wishes, firsts.get((repo, path)))
                wrong |= {(repo, path): why} if why else {}
    return wrong


def _strayed(
    source: Source, text: str, pins: Sequence[Pin], wishes: Mapping[Pin, str], first: str | None
) -> str | None:
    wanted = Counter(_said(pin, Known(wishes[pin]) if pin in wishes else pin.version) for pin in pins)
    found = Counter(_said(pin, pin.version) for pin in _pins(Source(source.repo, source.path, text)))
    new = [said for said in (found - wanted).elements() if not (first and said[3] == repr(Known(first)))]
    if wanted - found or new:
        return _FOUND
    seen = difference(source, text)
    told = [*(text for pin, text in wishes.items() if pin in pins), *([first] if first else [])]
    return None if not isinstance(seen, Proof) or _is_wished(seen, told) else _SEEN


def _is_wished(seen: Proof, told: Sequence[str]) -> bool:
    """Nothing is gone, what is new is a first constraint, and every other value holds what was wished."""
    values = (now for _, now in seen.changed.values())
    return not seen.removed and all(map(_is_first, seen.added)) and all(_holds(now, told) for now in values)


def _holds(value: str, told: Sequence[str]) -> bool:
    return any(text in value for text in told)


def _said(pin: Pin, version: Fact[str]) -> _Said:
    return pin.plug, pin.kind, pin.engine, repr(version), pin.root


def _is_first(path: str) -> bool:
    return path.rpartition(".")[2].partition("[")[0] in _FIRST


def _pins(source: Source) -> Iterator[Pin]:
    return (pin for pin in items(PINS, source) if pin.kind != "asked")
