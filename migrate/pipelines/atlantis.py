"""Atlantis: the steps of its workflows. It locks a project itself, and keeps its directory between runs."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import Final

from migrate import yamltree
from migrate.model import Run, Source, Unknown
from migrate.plug import Found
from migrate.spelling import runs
from migrate.spelling.command_line import COMMANDS
from migrate.spelling.runs import YES, Script, Sheet
from migrate.spelling.yaml_scripts import in_yaml, scripts

NAME: Final = "atlantis"

_FILE: Final = re.compile(r"(?i)\.?atlantis[\w.-]*\.ya?ml|repos\.ya?ml|server[\w-]*\.ya?ml|atmos\.ya?ml")
_PROJECT: Final = Unknown("it runs in the directory of the project")


def claims(path: PurePosixPath, head: bytes, /) -> bool:
    return _FILE.fullmatch(path.name) is not None


def find(source: Source, /) -> Found[Run]:
    """Steps that are commands, and steps of Atlantis' own with arguments. Its plans wait for `apply`."""
    return in_yaml(Sheet(source, NAME), _items)


def _items(sheet: Sheet, document: yamltree.Node) -> Iterator[Script | Run]:
    for route, _, parts in scripts(sheet.source.text, document, ("run", "command")):
        if "steps" in route:
            yield _script(route, parts)
    for route, node in yamltree.walk(document):
        if route[-1:] == ("extra_args",) and isinstance(node, yamltree.Sequence):
            yield from _own(sheet, route, node)


def _script(route: yamltree.Route, parts: tuple[runs.Part, ...]) -> Script:
    at = route.index("steps") if "steps" in route else 0
    job = ".".join(map(str, route[:at]))
    return Script(parts, _PROJECT, job, automated=True, serialised=YES)


def _own(sheet: Sheet, route: yamltree.Route, arguments: yamltree.Sequence) -> Iterator[Run]:
    scalars = [item for item in arguments.items if isinstance(item, yamltree.Scalar)]
    command = str(route[-2])
    if command in COMMANDS and scalars:
        words = [scalar.value for scalar in scalars]
        yield sheet.run("terraform", command, words, scalars[0].span, _script(route, ()))
