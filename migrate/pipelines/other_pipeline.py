"""Pipelines that name their scripts alike: Drone, Woodpecker, Bitbucket, Buildkite, Travis, Concourse, GoCD.

Concourse gives a shell its script as the last item of `args`, or a program its arguments.
"""

from __future__ import annotations

import re
from pathlib import PurePosixPath
from typing import Final

from migrate import yamltree
from migrate.model import Fact, Run, Source, Unknown
from migrate.plug import Found
from migrate.spelling.places import HERE
from migrate.spelling.runs import NO, YES, Part, Script, Sheet
from migrate.spelling.yaml_scripts import HOSTED, has, nearest, scripts, started

NAME: Final = "other_pipeline"

_FILE: Final = re.compile(
    r"(?i)(?:.*/)?(?:\.?(?:drone|woodpecker|travis|bitbucket-pipelines|codefresh|semaphore|appveyor|wercker|digger)[\w.-]*"
    r"\.ya?ml|[\w.-]+\.gocd\.ya?ml"
    r"|\.?(?:buildkite|drone|woodpecker|semaphore|terrateam|ci|concourse|pipelines?)/.*\.ya?ml)"
)
_SCRIPTS: Final = ("before_script", "commands", "script", "command", "args", "cmds", "code", "run")
_GROUPS: Final = ("concurrency", "concurrency_group", "serial", "serial_groups", "lock")
_ELSEWHERE: Final = Unknown("the pipeline that runs this task may hold it back")


def claims(path: PurePosixPath, head: bytes, /) -> bool:
    return _FILE.fullmatch(str(path)) is not None


def find(source: Source, /) -> Found[Run]:
    """In which directory a task of Concourse begins is said by `dir`, from a folder that holds its inputs."""
    sheet = Sheet(source, NAME)
    found: list[Script] = []
    others: list[Run] = []
    for document in yamltree.parse(source.text):
        for route, _, parts in scripts(source.text, document, _SCRIPTS):
            found.append(_script(document, route, parts))
        for route, node in yamltree.walk(document):
            others += started(sheet, node, _script(document, route, ()))
    return sheet.found(found, others)


def _script(document: yamltree.Node, route: yamltree.Route, parts: tuple[Part, ...]) -> Script:
    inputs = nearest(document, route, "dir") or "args" in (route or ("",))[-1:]
    where = Unknown("it runs where the task's inputs are laid out") if inputs else HERE
    job, serialised = ".".join(map(str, route)), _serialised(document, route)
    return Script(parts, where, job, automated=True, serialised=serialised, kept=HOSTED)


def _serialised(document: yamltree.Node, route: yamltree.Route) -> Fact[bool]:
    if has(document, route, *_GROUPS):
        return YES
    return NO if has(document, (), "steps", "pipelines", "jobs", "script") else _ELSEWHERE
