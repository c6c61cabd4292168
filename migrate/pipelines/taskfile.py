"""Task runners that speak YAML: Taskfiles, and the tasks of maru and others."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import Final

from migrate import yamltree
from migrate.model import Known, Run, Source
from migrate.plug import Found
from migrate.spelling.commands import settled
from migrate.spelling.places import below
from migrate.spelling.runs import Script, Sheet
from migrate.spelling.yaml_scripts import in_yaml, nearest, scripts

NAME: Final = "taskfile"

_FILE: Final = re.compile(r"(?i)(?:.*/)?(?:taskfile[\w.-]*|tasks?|\.?(?:tasks?|taskfiles?)/.*)\.ya?ml")


def claims(path: PurePosixPath, head: bytes, /) -> bool:
    return _FILE.fullmatch(str(path)) is not None


def find(source: Source, /) -> Found[Run]:
    """Each command is a shell of its own, in `dir` as seen from the file; a task may be its command."""
    return in_yaml(Sheet(source, NAME), _items)


def _items(sheet: Sheet, document: yamltree.Node) -> Iterator[Script]:
    text, here = sheet.source.text, Known(sheet.source.path.parent)
    for route, _, parts in scripts(text, document, ("cmd", "cmds")):
        to = settled(nearest(document, route, "dir"), text)
        where = below(here, to) if to else here
        yield from (Script((part,), where, ".".join(map(str, route[:2]))) for part in parts)
    tasks = yamltree.at(document, "tasks")
    names = [task.key.value for task in yamltree.members(tasks)]
    for route, _, parts in scripts(text, tasks, names) if names else ():
        yield from (Script((part,), here, "tasks") for part in parts if not route)
