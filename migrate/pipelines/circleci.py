"""CircleCI: `run` steps of jobs and commands, `serial-group`, caches and workspaces."""

from __future__ import annotations

from pathlib import PurePosixPath
from typing import Final

from migrate import yamltree
from migrate.model import Known, Refusal, Run, RunWish, Source
from migrate.plug import Edits, Found, Sources
from migrate.spelling import runs
from migrate.spelling.runs import HERE, Script, Sheet, below
from migrate.spelling.yaml_scripts import HOSTED, cached, nearest, scripts

NAME: Final = "circleci"


def claims(path: PurePosixPath, head: bytes, /) -> bool:
    return path.suffix in (".yml", ".yaml") and ".circleci" in path.parts


def find(source: Source, /) -> Found[Run]:
    """Each step is a shell of its own: `run: …`, or `run` with a `command`."""
    sheet = Sheet(source, NAME)
    found: list[Script] = []
    others: list[Run] = []
    for document in yamltree.parse(source.text):
        serial = any("serial-group" in route for route, _ in yamltree.walk(document))
        for route, _, parts in scripts(source.text, document, ("run", "command")):
            to = nearest(document, route, "working_directory")
            where = below(HERE, to) if to and not to.startswith("~") else HERE
            job = ".".join(map(str, route[:2]))
            found.append(Script(parts, where, job, automated=True, serialised=Known(serial), kept=HOSTED))
        for _, step in yamltree.walk(document):
            whole = Script((), automated=True, kept=HOSTED)
            others += cached(sheet, step, whole, "save_cache", "paths")
    return sheet.found(found, others)


def edit(sources: Sources, found: Run, wish: RunWish, /) -> Edits | Refusal:
    return runs.edit(sources[found.path].text, found, wish)
