"""GitHub workflows and actions: `run` steps, actions that run an engine, `concurrency`, `actions/cache`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import Final

from msgspec.structs import replace

from migrate import shell, yamltree
from migrate.model import Fact, Refusal, Run, RunWish, Source, Unknown
from migrate.plug import Edits, Found, Sources
from migrate.spelling import command_line, runs
from migrate.spelling.command_line import COMMANDS, Runner
from migrate.spelling.commands import settled
from migrate.spelling.places import HERE, below
from migrate.spelling.runs import NO, YES, Script, Sheet
from migrate.spelling.yaml_scripts import cached, has, kept, nearest, scripts, text_at

NAME: Final = "github_workflow"

_ACTION: Final = re.compile(r"dflook/(terraform|tofu)-([\w-]+)@.*")
_TOLD: Final = (
    ("gruntwork-io/terragrunt-action@", "terragrunt", "tg_command"),
    ("hashicorp/terraform-github-actions@", "terraform", "tf_actions_subcommand"),
)
"""Actions that are told a command line without its program, and the input that holds it."""
_HOSTED: Final = re.compile(r"(?:ubuntu|macos|windows)-[\w.-]+")
_CALLER: Final = Unknown("the workflow that calls this one may hold it back")


def claims(path: PurePosixPath, head: bytes, /) -> bool:
    return path.suffix in (".yml", ".yaml") and (".github" in path.parts or path.stem == "action")


def find(source: Source, /) -> Found[Run]:
    """Each step is a shell of its own; all steps of a job work in one checkout.

    An action that tries again gets its command as an input; hashicorp/setup-terraform wraps the program and
    makes what it prints an output of the step.
    """
    sheet = Sheet(source, NAME)
    found: list[Script] = []
    others: list[Run] = []
    for document in yamltree.parse(source.text):
        for route, step, parts in scripts(source.text, document, ("run", "command")):
            if "steps" in route:
                told = f"steps.{text_at(step, 'id')}.outputs.stdout"
                script = _script(source, document, route, step, parts)
                found.append(replace(script, captured=told in source.text))
        for route, node in yamltree.walk(document):
            if isinstance(node, yamltree.Mapping) and "steps" in route:
                others += _used(sheet, node, _script(source, document, route, node, ()))
    return sheet.found(found, others)


def edit(sources: Sources, found: Run, wish: RunWish, /) -> Edits | Refusal:
    return runs.edit(sources[found.path].text, found, wish)


def _script(
    source: Source,
    document: yamltree.Node,
    route: yamltree.Route,
    step: yamltree.Mapping,
    parts: tuple[runs.Part, ...],
) -> Script:
    job = str(route[1]) if route[0] == "jobs" else "action"
    default = nearest(document, route[:2], "defaults", "run", "working-directory")
    to = text_at(step, "working-directory") or default
    return Script(
        parts=parts,
        directory=below(HERE, settled(to, source.text)) if to else HERE,
        job=job,
        automated=True,
        serialised=_serialised(document, route),
        kept=kept(text_at(document, "jobs", job, "runs-on"), hosted=_HOSTED),
    )


def _serialised(document: yamltree.Node, route: yamltree.Route) -> Fact[bool]:
    if has(document, route[:2], "concurrency"):
        return YES
    triggers = yamltree.at(document, "on")
    called = route[0] != "jobs" or any("workflow_call" in step for step, _ in yamltree.walk(triggers))
    return _CALLER if called else NO


def _used(sheet: Sheet, step: yamltree.Mapping, script: Script) -> Iterator[Run]:
    """What a step uses: an action that runs an engine, or one that keeps folders."""
    uses = yamltree.at(step, "uses")
    action = _ACTION.fullmatch(uses.value) if isinstance(uses, yamltree.Scalar) else None
    if action and isinstance(uses, yamltree.Scalar):
        runner: Runner = "opentofu" if action[1] == "tofu" else "terraform"
        command = next((word for word in action[2].split("-") if word in COMMANDS), "")
        where = below(HERE, text_at(step, "with", "path")) if text_at(step, "with", "path") else HERE
        yield sheet.run(runner, command, (), uses.span, runs.moved(script, where))
    for named, runner, key in _TOLD:
        if isinstance(uses, yamltree.Scalar) and uses.value.startswith(named):
            told = f"{runner} {text_at(step, 'with', key)}"
            lines = (command_line.read(command) for command in shell.commands(told))
            yield from (
                sheet.run(one.runner, one.command, one.arguments, uses.span, script) for one in lines if one
            )
    if text_at(step, "uses").startswith("actions/cache"):
        yield from cached(sheet, step, script, "with", "path")
