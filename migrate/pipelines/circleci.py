"""CircleCI: `run` steps of jobs and commands, steps of the Terraform orb, `serial-group`, caches."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import Final

from migrate import yamltree
from migrate.model import Fact, Known, Run, Source, Unknown
from migrate.plug import Found
from migrate.spelling import orbs, runs
from migrate.spelling.command_line import COMMANDS
from migrate.spelling.places import HERE, below
from migrate.spelling.runs import NO, Script, Sheet
from migrate.spelling.yaml_scripts import HOSTED, cached, in_yaml, nearest, scripts

NAME: Final = "circleci"

_SERIAL: Final = Unknown("a job of this file has a serial-group; which one runs this is not known")


def claims(path: PurePosixPath, head: bytes, /) -> bool:
    return path.suffix in (".yml", ".yaml") and ".circleci" in path.parts


def find(source: Source, /) -> Found[Run]:
    """Each step is a shell of its own: `run: …`, or `run` with a `command`."""
    return in_yaml(Sheet(source, NAME), _items)


def _items(sheet: Sheet, document: yamltree.Node) -> Iterator[Script | Run]:
    for route, _, parts in scripts(sheet.source.text, document, ("run", "command")):
        yield _script(document, route, parts)
    yield from _of_orbs(sheet, document)
    for _, step in yamltree.walk(document):
        yield from cached(sheet, step, Script((), automated=True, kept=HOSTED), "save_cache", "paths")


def _script(document: yamltree.Node, route: yamltree.Route, parts: tuple[runs.Part, ...]) -> Script:
    to = nearest(document, route, "working_directory")
    return Script(
        parts=parts,
        directory=below(HERE, to) if to and not to.startswith("~") else HERE,
        job=".".join(map(str, route[:2])),
        automated=True,
        serialised=_serialised(document, str(route[1]) if len(route) > 1 else ""),
        kept=HOSTED,
    )


def _serialised(document: yamltree.Node, job: str) -> Fact[bool]:
    """Whether every use of a job in the workflows is in a group; who uses a command is not looked for."""
    used = orbs.named(yamltree.at(document, "workflows"))
    held = {yamltree.at(given, "serial-group") is not None for _, name, given in used if name.value == job}
    if len(held) == 1:
        return Known(held == {True})
    return _SERIAL if any("serial-group" in route for route, _ in yamltree.walk(document)) else NO


def _of_orbs(sheet: Sheet, document: yamltree.Node) -> Iterator[Run]:
    """`terraform/apply` where `terraform` is an orb: as a step or as a job, alone or with a `path`."""
    engines = orbs.engines(document)
    for route, name, given in orbs.named(document) if engines else ():
        orb, _, command = name.value.partition("/")
        if orb in engines and command in COMMANDS:
            job = route if route[:1] == ("jobs",) else ("workflows", name.value)
            script, path = _script(document, job, ()), yamltree.text(given, "path")
            there = runs.moved(script, below(HERE, path)) if path else script
            yield sheet.run(engines[orb], command, (), name.span, there)
