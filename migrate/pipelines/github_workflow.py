"""GitHub workflows and actions: `run` steps, actions that run an engine, `concurrency`, `actions/cache`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import PurePosixPath
from typing import Final

from msgspec.structs import replace

from migrate import shell, yamltree
from migrate.model import Fact, Run, Source, Unknown
from migrate.plug import Found
from migrate.spelling import command_line, runs
from migrate.spelling.command_line import COMMANDS, is_filled
from migrate.spelling.commands import settled
from migrate.spelling.places import HERE, below
from migrate.spelling.runs import NO, YES, Script, Sheet, moved
from migrate.spelling.yaml_scripts import cached, has, in_yaml, kept, nearest, scripts
from migrate.versions import Tool

NAME: Final = "github_workflow"

_ACTION: Final = re.compile(r"dflook/(terraform|tofu)-([\w-]+)@.*")
_TOLD: Final = (
    ("gruntwork-io/terragrunt-action@", "terragrunt", "tg_command", "tg_dir"),
    ("hashicorp/terraform-github-actions@", "terraform", "tf_actions_subcommand", "tf_actions_working_dir"),
)
"""Actions that are told a command line without its program, and the inputs that hold it and its directory."""
_MATRIX: Final = re.compile(r"\$\{\{\s*matrix\.([\w-]+)\s*\}\}")
_MOST: Final = 256
"""So many jobs GitHub makes of a matrix."""

_HOSTED: Final = re.compile(r"(?:ubuntu|macos|windows)-[\w.-]+")
_CALLER: Final = Unknown("the workflow that calls this one may hold it back")


def claims(path: PurePosixPath, head: bytes, /) -> bool:
    return path.suffix in (".yml", ".yaml") and (".github" in path.parts or path.stem == "action")


def find(source: Source, /) -> Found[Run]:
    """Each step is a shell of its own; all steps of a job work in one checkout.

    An action that tries again gets its command as an input; hashicorp/setup-terraform wraps the program and
    makes what it prints an output of the step.
    """
    return in_yaml(Sheet(source, NAME), _items)


def _items(sheet: Sheet, document: yamltree.Node) -> Iterator[Script | Run]:
    text = sheet.source.text
    for route, step, parts in scripts(text, document, ("run", "command")):
        if "steps" in route:
            told = f"steps.{yamltree.text(step, 'id')}.outputs.stdout"
            script = replace(_script(document, route, parts), captured=told in text)
            yield from (moved(script, where) for where in _directories(text, document, route, step))
    for route, node in yamltree.walk(document):
        if isinstance(node, yamltree.Mapping) and "steps" in route:
            yield from _used(sheet, document, route, node)


def _script(document: yamltree.Node, route: yamltree.Route, parts: tuple[runs.Part, ...]) -> Script:
    job = str(route[1]) if route[0] == "jobs" else "action"
    return Script(
        parts=parts,
        job=job,
        automated=True,
        serialised=_serialised(document, route),
        kept=kept(yamltree.text(document, "jobs", job, "runs-on"), hosted=_HOSTED),
    )


def _directories(
    text: str, document: yamltree.Node, route: yamltree.Route, step: yamltree.Mapping
) -> Iterator[Fact[PurePosixPath]]:
    default = nearest(document, route[:2], "defaults", "run", "working-directory")
    for to in _filled(document, route, yamltree.text(step, "working-directory") or default):
        yield below(HERE, settled(to, text)) if to else HERE


def _filled(document: yamltree.Node, route: yamltree.Route, to: str) -> Sequence[str]:
    """What a path is in each job of a matrix, where one list of literals says all of it; else as written."""
    names = set(_MATRIX.findall(to))
    matrix = yamltree.at(document, *route[:2], "strategy", "matrix") if len(names) == 1 else None
    listed = yamltree.at(matrix, *names) if matrix else None
    count = len(listed.items) if isinstance(listed, yamltree.Sequence) else 0
    values = [yamltree.text(listed, at) for at in range(count)] if count <= _MOST else []
    literal = all(value and not is_filled(value) for value in values)
    if not values or not literal or has(matrix, (), "include", "exclude"):
        return (to,)
    parts = _MATRIX.split(to)[::2]
    return [value.join(parts) for value in values]


def _serialised(document: yamltree.Node, route: yamltree.Route) -> Fact[bool]:
    if has(document, route[:2], "concurrency"):
        return YES
    triggers = yamltree.at(document, "on")
    called = route[0] != "jobs" or any("workflow_call" in step for step, _ in yamltree.walk(triggers))
    return _CALLER if called else NO


def _used(
    sheet: Sheet, document: yamltree.Node, route: yamltree.Route, step: yamltree.Mapping
) -> Iterator[Run]:
    """What a step uses: an action that runs an engine, or one that keeps folders."""
    script, uses = _script(document, route, ()), yamltree.scalar(step, "uses")
    if uses is None:
        return
    for runner, command, arguments, key in _told(uses.value, step):
        for path in _filled(document, route, yamltree.text(step, "with", key)):
            there = moved(script, below(HERE, path) if path else HERE)
            yield sheet.run(runner, command, arguments, uses.span, there)
    if uses.value.startswith("actions/cache"):
        yield from cached(sheet, step, script, "with", "path")


def _told(uses: str, step: yamltree.Mapping) -> Iterator[tuple[Tool | None, str, Sequence[str], str]]:
    """What an action runs: engine, command, arguments, and the input that names the directory."""
    if action := _ACTION.fullmatch(uses):
        command = next((word for word in action[2].split("-") if word in COMMANDS), "")
        yield "opentofu" if action[1] == "tofu" else "terraform", command, (), "path"
    for named, runner, key, directory in _TOLD:
        if uses.startswith(named):
            for words in shell.commands(f"{runner} {yamltree.text(step, 'with', key)}"):
                if line := command_line.read(words):
                    yield line.runner, line.command, line.arguments, directory
