"""CircleCI: `run` steps of jobs and commands, steps of the Terraform orb, `serial-group`, caches."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import Final

from migrate import yamltree
from migrate.model import Fact, Known, Refusal, Run, RunWish, Source, Unknown
from migrate.plug import Edits, Found, Sources
from migrate.spelling import runs
from migrate.spelling.command_line import COMMANDS, Runner
from migrate.spelling.runs import HERE, NO, Script, Sheet, below
from migrate.spelling.yaml_scripts import HOSTED, cached, nearest, scripts, text_at

NAME: Final = "circleci"

_ORB: Final = re.compile(r"[\w-]+/(?:[\w-]*-)?(terraform|opentofu)(?:-[\w-]+)?@.*")
_SERIAL: Final = Unknown("a job of this file has a serial-group; which one runs this is not known")


def claims(path: PurePosixPath, head: bytes, /) -> bool:
    return path.suffix in (".yml", ".yaml") and ".circleci" in path.parts


def find(source: Source, /) -> Found[Run]:
    """Each step is a shell of its own: `run: …`, or `run` with a `command`."""
    sheet = Sheet(source, NAME)
    found: list[Script] = []
    others: list[Run] = []
    for document in yamltree.parse(source.text):
        for route, _, parts in scripts(source.text, document, ("run", "command")):
            found.append(_script(document, route, parts))
        others += _of_orbs(sheet, document)
        for _, step in yamltree.walk(document):
            whole = Script((), automated=True, kept=HOSTED)
            others += cached(sheet, step, whole, "save_cache", "paths")
    return sheet.found(found, others)


def edit(sources: Sources, found: Run, wish: RunWish, /) -> Edits | Refusal:
    return runs.edit(sources[found.path].text, found, wish)


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
    used = _named(yamltree.at(document, "workflows"))
    held = {yamltree.at(given, "serial-group") is not None for _, name, given in used if name.value == job}
    if len(held) == 1:
        return Known(held == {True})
    return _SERIAL if any("serial-group" in route for route, _ in yamltree.walk(document)) else NO


def _of_orbs(sheet: Sheet, document: yamltree.Node) -> Iterator[Run]:
    """`terraform/apply` where `terraform` is an orb: as a step or as a job, alone or with a `path`."""
    orbs = yamltree.at(document, "orbs")
    kinds = {
        orb.key.value: kind[1]
        for orb in (orbs.members if isinstance(orbs, yamltree.Mapping) else ())
        if isinstance(orb.value, yamltree.Scalar) and (kind := _ORB.fullmatch(orb.value.value))
    }
    for route, name, given in _named(document) if kinds else ():
        orb, _, command = name.value.partition("/")
        if orb in kinds and command in COMMANDS:
            runner: Runner = "opentofu" if kinds[orb] == "opentofu" else "terraform"
            job = route if route[:1] == ("jobs",) else ("workflows", name.value)
            script = _script(document, job, ())
            where = below(HERE, text_at(given, "path")) if text_at(given, "path") else script.directory
            yield sheet.run(runner, command, (), name.span, runs.moved(script, where))


def _named(
    document: yamltree.Node | None,
) -> Iterator[tuple[yamltree.Route, yamltree.Scalar, yamltree.Node | None]]:
    """Every item of a list that is a name, or a name with what it is given."""
    for route, node in yamltree.walk(document):
        for item in node.items if isinstance(node, yamltree.Sequence) else ():
            match item:
                case yamltree.Scalar():
                    yield route, item, None
                case yamltree.Mapping((member,)):
                    yield route, member.key, member.value
                case _:
                    pass
