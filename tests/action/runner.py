"""Runs the shell steps of `action.yml` as GitHub's runner does: expressions, environment, files of commands.

Of expressions it knows what the action uses: names, strings, `==`, `!=`, `&&`, `||` and, in a value,
`${{ … }}`. A step that uses another action is not run and is given back with what it would get.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Final, TypeAlias

from msgspec import Struct, field
from ruamel.yaml import YAML

ACTION: Final = Path(__file__).parents[2] / "action.yml"
Json: TypeAlias = "str | int | float | bool | list[Json] | dict[str, Json] | None"
Tree: TypeAlias = dict[str, Json]
_TOKEN: Final = re.compile(r"\s*(?:'((?:[^']|'')*)'|(==|!=|&&|\|\|)|([\w.-]+))")


def action() -> Tree:
    loaded = YAML(typ="safe").load(ACTION.read_text("utf-8"))
    assert isinstance(loaded, dict)
    return loaded


def steps() -> list[Tree]:
    runs = action()["runs"]
    assert isinstance(runs, dict)
    listed = runs["steps"]
    assert isinstance(listed, list)
    return [step for step in listed if isinstance(step, dict)]


class Ran(Struct):
    """What came of one run of the action."""

    code: int = 0
    out: str = ""
    used: list[Tree] = field(default_factory=list)
    names: list[str] = field(default_factory=list)
    outputs: dict[str, Tree] = field(default_factory=dict)
    summary: str = ""


class Runner(Struct, frozen=True):
    """One job: its workspace, its temporary folder, its event, and what stands in its environment."""

    workspace: Path
    temp: Path
    event: Tree
    environment: Mapping[str, str]

    def run(self, **given: str) -> Ran:
        """All steps of the action with these inputs (a `-` of a name is a `_` here)."""
        ran, inputs = Ran(), self._inputs(given)
        for step in steps():
            done: Tree = {name: {"outputs": said} for name, said in ran.outputs.items()}
            scope: Tree = {"inputs": inputs, "github": {"event": self.event}, "steps": done}
            if ran.code or not _true(evaluate(str(step.get("if", "'yes'")), scope)):
                continue
            ran.names.append(str(step["name"]))
            if "uses" in step:
                ran.used.append({**step, "with": _filled(step.get("with"), scope)})
            else:
                self._shell(step, scope, ran)
        return ran

    def _inputs(self, given: Mapping[str, str]) -> Tree:
        declared = action()["inputs"]
        assert isinstance(declared, dict)
        scope: Tree = {"github": {"event": self.event, "token": self.environment.get("GITHUB_TOKEN", "")}}
        defaults = {
            name: substituted(str(about.get("default", "")), scope)
            for name, about in declared.items()
            if isinstance(about, dict)
        }
        named = {name.replace("_", "-"): value for name, value in given.items()}
        assert named.keys() <= defaults.keys()
        return {**defaults, **named}

    def _shell(self, step: Tree, scope: Tree, ran: Ran) -> None:
        files = {name: self.temp / name.lower() for name in ("GITHUB_OUTPUT", "GITHUB_STEP_SUMMARY")}
        for file in files.values():
            file.write_text("")
        script = self.temp / "step.sh"
        script.write_text(str(step["run"]))
        environment = {
            **self.environment,
            **{name: str(file) for name, file in files.items()},
            **{name: str(value) for name, value in _filled(step.get("env"), scope).items()},
            "RUNNER_TEMP": str(self.temp),
            "GITHUB_WORKSPACE": str(self.workspace),
            "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
        }
        done = subprocess.run(
            ["bash", "--noprofile", "--norc", "-eo", "pipefail", str(script)],
            cwd=self.workspace,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        ran.code, ran.out = done.returncode, ran.out + done.stdout
        ran.summary += files["GITHUB_STEP_SUMMARY"].read_text()
        said: Tree = {}
        for line in files["GITHUB_OUTPUT"].read_text().splitlines():
            name, _, said[name] = line.partition("=")
        ran.outputs[str(step.get("id", ""))] = said


def _filled(given: Json, scope: Tree) -> Tree:
    values = given if isinstance(given, dict) else {}
    return {name: substituted(str(value), scope) for name, value in values.items()}


def substituted(text: str, scope: Tree) -> str:
    """A value with each `${{ … }}` in it evaluated."""
    return re.sub(r"\$\{\{(.*?)\}\}", lambda found: _shown(evaluate(found[1], scope)), text)


def _shown(value: Json) -> str:
    return "" if value is None else str(value)


def evaluate(expression: str, scope: Tree) -> Json:
    """`a == 'b' && c || d`, with GitHub's idea of what is true."""
    value: Json = None
    for way in _split(expression, "||"):
        for part in _split(way, "&&"):
            value = _compared(part, scope)
            if not _true(value):
                break
        if _true(value):
            return value
    return value


def _split(expression: str, sign: str) -> list[str]:
    tokens = list(_TOKEN.finditer(expression))
    parts, at = [], 0
    for token in tokens:
        if token[2] == sign:
            parts.append(expression[at : token.start(2)])
            at = token.end(2)
    return [*parts, expression[at:]]


def _compared(expression: str, scope: Tree) -> Json:
    tokens = list(_TOKEN.finditer(expression.strip()))
    values = [_value(token, scope) for token in tokens if not token[2]]
    signs = [token[2] for token in tokens if token[2]]
    if not signs:
        return values[0]
    return (_shown(values[0]) == _shown(values[1])) == (signs[0] == "==")


def _value(token: re.Match[str], scope: Tree) -> Json:
    if token[3] is None:
        return token[1]
    value: Json = scope
    for name in token[3].split("."):
        value = value.get(name) if isinstance(value, dict) else None
    return value


def _true(value: Json) -> bool:
    return value not in (None, "", False, 0)
