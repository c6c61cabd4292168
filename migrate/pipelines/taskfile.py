"""Task runners that speak YAML: Taskfiles, and the tasks of maru and others."""

from __future__ import annotations

import re
from pathlib import PurePosixPath
from typing import Final

from migrate import yamltree
from migrate.model import Known, Run, Source
from migrate.plug import Found
from migrate.spelling.commands import settled
from migrate.spelling.places import below
from migrate.spelling.runs import Script, Sheet
from migrate.spelling.yaml_scripts import nearest, scripts

NAME: Final = "taskfile"

_FILE: Final = re.compile(r"(?i)(?:.*/)?(?:taskfile[\w.-]*|tasks?|\.?(?:tasks?|taskfiles?)/.*)\.ya?ml")


def claims(path: PurePosixPath, head: bytes, /) -> bool:
    return _FILE.fullmatch(str(path)) is not None


def find(source: Source, /) -> Found[Run]:
    """Each command is a shell of its own, in `dir` as seen from the file; a task may be its command."""
    sheet = Sheet(source, NAME)
    found: list[Script] = []
    for document in yamltree.parse(source.text):
        for route, _, parts in scripts(source.text, document, ("cmd", "cmds")):
            to = settled(nearest(document, route, "dir"), source.text)
            where = below(Known(source.path.parent), to) if to else Known(source.path.parent)
            found += [Script((part,), where, ".".join(map(str, route[:2]))) for part in parts]
        tasks = yamltree.at(document, "tasks")
        names = [task.key.value for task in tasks.members] if isinstance(tasks, yamltree.Mapping) else []
        for route, _, parts in scripts(source.text, tasks, names) if names else ():
            found += [Script((part,), Known(source.path.parent), "tasks") for part in parts if not route]
    return sheet.found(found)
