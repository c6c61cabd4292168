"""What a lock table is called, and the variables and values that say so."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import Final

from msgspec.structs import replace

from migrate import hcl
from migrate.campaign.reading.chains.folders import Folders
from migrate.evaluation.opentofu import Directory
from migrate.model import Carrier, Definition, Fact, Known, Scalar, Unknown

_VARIABLE: Final = re.compile(r"\bvar\.([\w-]+)")


def table(definition: Definition, folders: Folders) -> Fact[str]:
    """The name, where all calls of its folder as a module, or else the folder's own files, come to one."""
    if not isinstance(definition.table, Unknown):
        return definition.table
    folder = definition.path.parent
    scopes = list(_called_with(folder, folders)) or [folders.scope(folder)]
    match list({scope.setting(definition.table.why) for scope in scopes}):
        case [Known(str() as name)]:
            return Known(name)
        case _:
            return definition.table


def _called_with(folder: PurePosixPath, folders: Folders) -> Iterator[Directory]:
    """The scope of a module as each of its calls fills it."""
    for call in folders.calls(folder):
        inner, outer = folders.scope(folder), folders.scope(call.path.parent)
        given = {
            str(one.name): _spelled(outer.setting(one.value.span.of(call.text)))
            for one in call.block.arguments
        }
        yield replace(inner, variables={**inner.variables, **given})


def _spelled(fact: Fact[Scalar]) -> str:
    """A value as an expression; one that nobody knows stays one."""
    match fact:
        case Known(str() as text):
            return f'"{text}"'
        case Known(value):
            return str(value).lower()
        case Unknown():
            return "unknown"


def sources(definition: Definition, folders: Folders) -> Iterator[Carrier]:
    """The variables that the table's name is made of, and what sets them."""
    written = definition.table.why if isinstance(definition.table, Unknown) else ""
    for name in dict.fromkeys(_VARIABLE.findall(written)):
        yield from _sources(name, definition.path.parent, folders)


def _sources(name: str, folder: PurePosixPath, folders: Folders) -> Iterator[Carrier]:
    for one in folders.blocks(folder, "variable"):
        if one.label == name:
            place = folders.place(one.path, one.text, one.block.span.start)
            yield Carrier("variable", name, place, followed=True)
    for path, text in folders.texts(folder, (".tfvars",)):
        for argument in (item for item in hcl.parse(text).arguments if item.name == name):
            place = folders.place(path, text, argument.span.start)
            yield Carrier("value", name, place, followed=True)
    for call in folders.calls(folder):
        for argument in call.block.all(name):
            place = folders.place(call.path, call.text, argument.span.start)
            yield Carrier("argument", f"module.{call.label}.{name}", place, followed=True)
