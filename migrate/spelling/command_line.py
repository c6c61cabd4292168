"""The words of a command to a run: which engine, which command of it, which arguments."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Final

from msgspec import Struct

from migrate.shell import Command, Word
from migrate.spelling.version_names import TOOLS
from migrate.versions import Tool

COMMANDS: Final = frozenset(
    {
        *("init", "plan", "apply", "destroy", "refresh", "import", "taint", "untaint", "state", "output"),
        *("show", "workspace", "force-unlock", "console", "validate", "fmt", "get", "graph", "providers"),
        "test",
    }
)
_ALL: Final = re.compile(r"(plan|apply|destroy|output|validate)-all")
_TERRAGRUNT: Final = frozenset({"run", "run-all", "stack", "exec"})
"""Terragrunt's own commands, behind which the engine's stands."""

# `terraform`, `./bin/terraform_1.9.8.exe`, `${TERRAFORM:-terraform}`, `tf.sh`; in front what make takes for
# itself (`@`, `-`).
_PROGRAM: Final = re.compile(
    r"[@+-]?(?:[^\s=]*[/\\])?(?:\$\{\w+:-)?(?:gitlab-)?(terraform|tofu|opentofu|terragrunt)"
    r"(?:[-_]?v?\d+(?:\.\d+)*)?(?:\.(?:exe|sh|cmd|bat|ps1))?\}?"
    r"|[@+-]?(?:[^\s=]*[/\\](t[fg])(?:\.(?:sh|cmd|bat|ps1))?|(t[fg])\.(?:sh|cmd|bat|ps1))"
)
_SCRIPT: Final = re.compile(r"\.(?:sh|cmd|bat|ps1)\Z|[/\\]t[fg]\Z")
"""A team's own script that is named after an engine (`bin/tf`): it may not pass on all arguments."""

# `$TF`, `$(TERRAFORM)`, `${MY_TF_BIN}`
_VARIABLE: Final = re.compile(
    r"[@+-]?\$\$?[({]?(?:\w*_)?(TERRAFORM|TF|TOFU|TERRAGRUNT|TG)"
    r"(?:_?(?:BIN|BINARY|CMD|COMMAND|EXE|EXECUTABLE|PATH))?[)}]?",
    re.IGNORECASE,
)
_IMAGE: Final = re.compile(r"(?:[\w.-]+/)*(?:hashicorp/(terraform)|opentofu/(opentofu))(?:[:@].+)?")
_PASSING: Final = re.compile(
    r"[@+-]|!|\{|--?[\w-]*(?:=.*)?|\w+=.*|\d+[smh]?|sudo|env|time|exec|command|nohup|then|do|else|elif|if|while"
    r"|until|eval|xargs|run|shell|timeout|nice|retry|try|unbuffer|\w+\(\)",
    re.DOTALL,
)
"""Words that may stand before the engine: options, assignments, keywords of a shell, `sudo` and its like."""
_WRAPPERS: Final = frozenset(
    {
        *("docker", "docker-compose", "podman", "aws-vault", "aws-okta", "chamber", "op", "doppler"),
        *("dotenv", "find", "parallel", "bundle", "pipenv", "poetry", "uv", "mise", "asdf", "nix", "vault"),
        *("sops", "infisical", "summon"),
    }
)
"""Programs that run another one, named behind arguments of their own: `docker run … terraform init`."""
_NO_WRAPPER: Final = re.compile(
    r"(?i)[@+-]*(?:[\w-]*(?:echo|print|log|msg|message|info|warn|(?<![a-z])err|error|debug|head|title|say|grep"
    r"|write)[\w-]*|::|cd|cp|git|ls|man|make|mkdir|mv|rem|rm|type|which|atmos)"
)
"""Programs that print or move what is called after an engine. Any other word before an engine and its command
is taken to run them: `aws-auth terraform init`.
"""

# `tf() { terraform "$@"; }`, `function tf { …; }`
_FUNCTION: Final = re.compile(
    r"(?m)^[ \t]*(?:function[ \t]+)?(?P<name>[\w-]+)[ \t]*(?:\(\))?\s*\{[^{}]{0,400}?(?<=[\s;&|])"
    r"(?P<program>[^\s;&|\"'{}]+)[ \t][^{}\n;&|]{0,200}?\$[@*]"
)
_NONE: Final[Mapping[str, Tool]] = {}


class Line(Struct, frozen=True):
    """One run of an engine. `verb` is the word that is its command; None where no word is that alone."""

    runner: Tool
    command: str
    verb: Word | None
    before: tuple[str, ...]
    """Between the program and its command: `-chdir=net`."""
    arguments: tuple[str, ...]


def read(command: Command, functions: Mapping[str, Tool] = _NONE) -> Line | None:
    """What a command runs; None where that is no engine. `functions` are those that pass on what they get."""
    words = command.words
    if words[0].text == "function":  # `function init { terraform init`
        words = words[2:]
    own = functions.get(words[0].text) if words else None
    programs = [(0, own)] if own else _programs(words)
    lines = (_line(words, at, runner) for at, runner in programs)
    return next((line for line in lines if line), None)


def functions(text: str) -> Mapping[str, Tool]:
    """The functions of a script that give an engine all that they are given: `tf() { terraform "$@"; }`."""
    found = ((one["name"], runner_of(one["program"])) for one in _FUNCTION.finditer(text))
    return {name: runner for name, runner in found if runner}


def _programs(words: Sequence[Word]) -> Iterator[tuple[int, Tool]]:
    """The first program that is an engine, if nothing but what runs it stands before it."""
    # `tfcmt plan -- terraform plan`
    wrapped = any(word.text in _WRAPPERS for word in words[:2]) or any(word.text == "--" for word in words)
    for at, word in enumerate(words):
        runner = runner_of(word.text, in_image=wrapped)
        if runner:
            yield at, runner
        if not (wrapped or is_filled(word.text) or _PASSING.fullmatch(word.text)):
            yield from _wrapped(words, at)
            return


def _wrapped(words: Sequence[Word], at: int) -> Iterator[tuple[int, Tool]]:
    """The engine behind a word that nobody knows: a function of the script, a program of the team."""
    if words[at].quoted or _NO_WRAPPER.fullmatch(words[at].text):
        return
    for number, (word, verb) in enumerate(pairwise(words[at + 1 :]), at + 1):
        runner = runner_of(word.text)
        if runner and not word.quoted and _named(verb.text) in COMMANDS:
            yield number, runner


def runner_of(text: str, *, in_image: bool = False) -> Tool | None:
    """The engine that a word starts: a program, a variable named after one, an image that holds one."""
    found = _PROGRAM.fullmatch(text) or _VARIABLE.fullmatch(text)
    if found is None and in_image:
        found = _IMAGE.fullmatch(text)
    name = next((group for group in found.groups() if group), "") if found else ""
    return TOOLS.get(name.lower())


def _line(words: Sequence[Word], at: int, runner: Tool) -> Line | None:
    behind, wrapped = words[at + 1 :], _SCRIPT.search(words[at].text)
    before: list[str] = []
    for number, word in enumerate(behind):
        text = word.text
        name = _named(text)
        if name in COMMANDS:
            verb = word if text == name and not (word.quoted or wrapped) else None
            return Line(runner, name, verb, tuple(before), tuple(w.text for w in behind[number + 1 :]))
        if is_filled(text) and not text.startswith("-") and not _follows(behind[number + 1 :]):
            return Line(runner, "", None, tuple(before), tuple(w.text for w in behind[number:]))
        if not (text.startswith("-") or is_filled(text) or _belongs(text, before, runner)):
            return None
        before.append(text)
    return None


def _follows(words: Sequence[Word]) -> bool:
    return bool(words) and _named(words[0].text) in COMMANDS


def _belongs(text: str, before: Sequence[str], runner: Tool) -> bool:
    """Whether a word is Terragrunt's own command, or may be the value of the flag before it."""
    spaced = bool(before) and before[-1].startswith("-") and "=" not in before[-1]
    if runner == "terragrunt":
        return text in _TERRAGRUNT or (spaced and before[-1].startswith("--"))
    return spaced and before[-1].lstrip("-") == "chdir"


def _named(text: str) -> str:
    """The command that a word names; `plan-all` is Terragrunt's old name for `plan` in many directories."""
    every = _ALL.fullmatch(text)
    return every[1] if every else text


def is_filled(text: str) -> bool:
    """Whether something of a word is known only when it runs."""
    return re.search(r"[$`]|\{\{|\{\}|<<|%\w+%", text) is not None


def values(arguments: Sequence[str], flag: str) -> Iterator[str]:
    """What a flag is given, as `-flag=value` or `-flag value`, in order."""
    for at, argument in enumerate(arguments):
        name, equals, value = argument.partition("=")
        if name.lstrip("-") == flag and name.startswith("-"):
            if equals:
                yield value
            elif at + 1 < len(arguments):
                yield arguments[at + 1]


def has(arguments: Sequence[str], *flags: str) -> bool:
    """Whether one of the flags stands there, with or without a value."""
    names = (argument.partition("=")[0] for argument in arguments if argument.startswith("-"))
    return any(name.lstrip("-") in flags for name in names)
