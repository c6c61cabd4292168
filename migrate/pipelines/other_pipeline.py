"""Pipelines that name their scripts alike: Drone, Woodpecker, Bitbucket, Buildkite, Travis, Concourse, GoCD,
Bamboo, Harness, Gitpod.

Concourse gives a shell its script as the last item of `args`, or a program its arguments. Cirrus lets a name
go before `script`, Spacelift and env0 one behind `before` and `after`, Screwdriver calls a step as it likes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import Final

from migrate import yamltree
from migrate.model import Fact, Run, Source, Unknown
from migrate.plug import Found
from migrate.spelling.places import HERE
from migrate.spelling.runs import NO, YES, Part, Script, Sheet
from migrate.spelling.yaml_scripts import HOSTED, has, in_yaml, nearest, scripts, started

NAME: Final = "other_pipeline"

_FILE: Final = re.compile(
    r"(?i)(?:.*/)?(?:\.?(?:appveyor|bamboo|cirrus|codefresh|digger|drone|env0|gitpod|screwdriver|semaphore|travis"
    r"|wercker|woodpecker)[\w.-]*\.ya?ml|(?!\.?azure)[\w.-]*pipelines?[\w.-]*\.ya?ml|[\w.-]+\.gocd\.ya?ml"
    r"|\.?(?:bamboo-specs|buildkite|ci|concourse|drone|harness|pipelines?|semaphore|spacelift|terrateam|woodpecker)"
    r"/.*\.ya?ml)"
)
_SCRIPTS: Final = (
    *("before_script", "commands", "script", "command", "args", "cmds", "code", "run"),
    *("bash", "pwsh", "powershell", "init"),
)
_NAMED: Final = re.compile(r"\w+_script|(?:before|after)(?:_\w+)?")
_GROUPS: Final = ("concurrency", "concurrency_group", "serial", "serial_groups", "lock")
_ELSEWHERE: Final = Unknown("the pipeline that runs this task may hold it back")


def claims(path: PurePosixPath, head: bytes, /) -> bool:
    return _FILE.fullmatch(str(path)) is not None


def find(source: Source, /) -> Found[Run]:
    """In which directory a task of Concourse begins is said by `dir`, from a folder that holds its inputs."""
    return in_yaml(Sheet(source, NAME), _items)


def _items(sheet: Sheet, document: yamltree.Node) -> Iterator[Script | Run]:
    keys = tuple(dict.fromkeys((*_SCRIPTS, *_named(document))))
    for route, _, parts in scripts(sheet.source.text, document, keys):
        yield _script(document, route, parts)
    for route, node in yamltree.walk(document):
        yield from started(sheet, node, _script(document, route, ()))


def _named(document: yamltree.Node) -> Iterator[str]:
    """Under which other keys scripts stand there."""
    for route, node in yamltree.walk(document):
        keys = [member.key.value for member in yamltree.members(node)]
        yield from (key for key in keys if _NAMED.fullmatch(key))
        if route[-2:-1] == ("steps",) and len(keys) == 1 and keys != ["name"]:
            yield from keys


def _script(document: yamltree.Node, route: yamltree.Route, parts: tuple[Part, ...]) -> Script:
    inputs = nearest(document, route, "dir") or "args" in (route or ("",))[-1:]
    where = Unknown("it runs where the task's inputs are laid out") if inputs else HERE
    job, serialised = ".".join(map(str, route)), _serialised(document, route)
    return Script(parts, where, job, automated=True, serialised=serialised, kept=HOSTED)


def _serialised(document: yamltree.Node, route: yamltree.Route) -> Fact[bool]:
    if has(document, route, *_GROUPS):
        return YES
    return NO if has(document, (), "steps", "pipelines", "jobs", "script") else _ELSEWHERE
