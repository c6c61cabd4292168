"""What carries a table's name or ARN on: an output to the calls of its module, an argument to a variable.

Names that nothing follows are told too: they can go with the table.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator, Mapping
from pathlib import PurePosixPath
from typing import Final

from msgspec import Struct

from migrate.campaign.reading.chains.folders import READ, Folders, Placed
from migrate.model import Carrier, CarrierKind, Definition, Place

_KINDS: Final[Mapping[str, CarrierKind]] = {"resource": "resource", "data": "resource", "output": "output"}
_MOST: Final = 200
"""Steps of one chain; a table that goes further is listed so far."""


class _Name(Struct, frozen=True):
    """One name of a folder's code; `reference` is a pattern of how code of `folder` speaks of it."""

    kind: CarrierKind
    name: str
    place: Place
    folder: PurePosixPath
    reference: str = ""


def onward(definition: Definition, folders: Folders) -> Iterator[Carrier]:
    """All that uses the table's name, and all that uses those, the nearest first."""
    pending = deque(_using(_reference(definition), definition.path.parent, folders))
    seen = set[_Name]()
    while pending and len(seen) < _MOST:
        name = pending.popleft()
        if name in seen:
            continue
        seen.add(name)
        used, asking = list(_used(name, folders)), list(_asking(name, folders))
        pending += used
        followed = bool(used or asking) or name.kind == "resource"
        yield Carrier(name.kind, name.name, name.place, followed)
        yield from asking


def _reference(definition: Definition) -> str:
    """How code speaks of the table; of a module's outputs only those that say that they are of one."""
    name = _pattern(*definition.name.split("."))
    return rf"{name}\.\w*(?:table|lock|dynamo)\w*" if definition.plug == "module" else name


def _pattern(*steps: str) -> str:
    """The steps of a traversal, with an index after any of them."""
    return r"(?:\[[^\]\n]*\])?\.".join(map(re.escape, steps))


def _used(name: _Name, folders: Folders) -> Iterator[_Name]:
    if name.kind == "output":
        for call in folders.calls(name.folder):
            yield from _using(_pattern("module", call.label, name.name), call.path.parent, folders)
    elif name.reference:
        yield from _using(name.reference, name.folder, folders)


def _asking(name: _Name, folders: Folders) -> Iterator[Carrier]:
    """Readers of the state, and scripts, that ask for an output by its name."""
    if name.kind != "output":
        return
    of_state = re.compile(rf"\boutputs\.{re.escape(name.name)}\b")
    by_hand = re.compile(rf"\boutput\s+(?:-\S+\s+)*[\"']?{re.escape(name.name)}\b")
    for path, text in folders.files.holding(name.name):
        if found := (of_state if path.suffix in READ else by_hand).search(text):
            yield Carrier("reader", name.name, folders.place(path, text, found.start()), followed=True)


def _using(reference: str, folder: PurePosixPath, folders: Folders) -> Iterator[_Name]:
    """What speaks of `reference`, a pattern, in the code of a folder."""
    spoken = re.compile(rf"(?<![\w.-]){reference}(?![\w-])")
    for one in folders.blocks(folder):
        if spoken.search(one.text, one.block.braces.start, one.block.span.end):
            yield from _speaking(one, spoken, folders)


def _speaking(one: Placed, spoken: re.Pattern[str], folders: Folders) -> Iterator[_Name]:
    if kind := _KINDS.get(one.block.type):
        place = folders.place(one.path, one.text, one.block.span.start)
        yield _Name(kind, one.label, place, one.path.parent)
        return
    for argument in one.block.arguments:
        if spoken.search(argument.value.span.of(one.text)):
            place = folders.place(one.path, one.text, argument.span.start)
            yield from _handing_on(one, str(argument.name), place, folders)


def _handing_on(one: Placed, name: str, place: Place, folders: Folders) -> Iterator[_Name]:
    if one.block.type == "locals":
        yield _Name("local", name, place, one.path.parent, _pattern("local", name))
    elif one.block.type == "module":
        inner = folders.called(one)
        told, variable = f"module.{one.label}.{name}", _pattern("var", name) if inner else ""
        yield _Name("argument", told, place, inner or one.path.parent, variable)
