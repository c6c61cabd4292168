"""Inputs of actions and workflows of the same repository: names that are handed on, and set no lock.

What the action gives to `init` stands in its own file, and is read there. Only a composite action and a
workflow are followed: what a program does with its inputs is not known.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import Final

from migrate import yamltree
from migrate.campaign.reading.tree import Tree
from migrate.model import Source
from migrate.unclaimed import Looks

_REFERENCE: Final = re.compile(r"\$\{\{\s*inputs\.[\w-]+\s*\}\}")
_WORKFLOW: Final = ("on", "workflow_call", "inputs")


def handed_on(source: Source, files: Tree) -> Iterator[Looks]:
    """Where an input is declared, given to something here that declares it, or given on as it came."""
    path = source.path
    if path.suffix not in (".yml", ".yaml") or not (".github" in path.parts or path.stem == "action"):
        return
    for document in yamltree.parse(source.text):
        for member in _declared(document):
            yield member.key.span, "carrier"
        for _, node in yamltree.walk(document):
            yield from _given(node, files)


def _given(node: yamltree.Node, files: Tree) -> Iterator[Looks]:
    uses, given = yamltree.at(node, "uses"), yamltree.at(node, "with")
    if not (isinstance(uses, yamltree.Scalar) and isinstance(given, yamltree.Mapping)):
        return
    known = {member.key.value for member in _of_target(uses.value, files)}
    for member in (member for member in given.members if member.key.value in known):
        yield member.key.span, "carrier"
        if isinstance(member.value, yamltree.Scalar) and _REFERENCE.fullmatch(member.value.value):
            yield member.value.span, "carrier"


def _of_target(uses: str, files: Tree) -> Iterator[yamltree.Member]:
    """The inputs that an action or workflow of this repository declares."""
    if not uses.startswith("./") or "{" in uses or ".." in uses:
        return
    path = PurePosixPath(uses)
    names = (path,) if path.suffix in (".yml", ".yaml") else (path / "action.yml", path / "action.yaml")
    text = next((text for name in names if (text := files.text(name)) is not None), "")
    for document in yamltree.parse(text):
        yield from _declared(document)


def _declared(document: yamltree.Node) -> tuple[yamltree.Member, ...]:
    using = yamltree.at(document, "runs", "using")
    composite = isinstance(using, yamltree.Scalar) and using.value == "composite"
    inputs = yamltree.at(document, *(("inputs",) if composite else _WORKFLOW))
    return inputs.members if isinstance(inputs, yamltree.Mapping) else ()
