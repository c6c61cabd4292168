"""Programs that run an engine: a list of words, or a text for a shell, that a call of theirs is given.

Python, Ruby, JavaScript, Go and Kotlin, as people write tasks in them for nox, invoke, Rake, Mage or Dagger;
and the scripts of Terramate.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import Final

from msgspec.structs import replace

from migrate.model import Run, Source, Unknown
from migrate.plug import Found
from migrate.shell import Command, Word
from migrate.spelling import command_line
from migrate.spelling.runs import Part, Script, Sheet, moved, worked_in
from migrate.text import Span

NAME: Final = "program"

_SUFFIXES: Final = frozenset(
    {".py", ".rb", ".rake", ".js", ".mjs", ".cjs", ".ts", ".kts", ".gradle", ".star", ".bzl", ".bazel"}
)
_NAMES: Final = ("Rakefile", "Vagrantfile")
_OF_GO: Final = re.compile(rb"\bmagefile/mage\b|\bdagger\b")
_RUN_BY: Final = re.compile(rb"#![^\n]*\b(?:python|ruby|node|deno|bun)")
_STRING: Final = r"[fFrRbBu]{0,2}(?:\"(?>(?:[^\"\\\n]|\\.)*)\"|'(?>(?:[^'\\\n]|\\.)*)')"
# `["terraform", "init", f"-input={x}"]`, and the arguments of a call that begin so
_LIST: Final = re.compile(
    r"[\[({]\s*+(?P<words>[\"'](?:[^\"'\s]*/)?(?:terraform|tofu|terragrunt)(?:\.exe)?[\"']"
    rf"(?>(?:\s*+,\s*+\[?\s*+(?:{_STRING}|\*?[\w.]++)){{1,60}}))"
)
_SPEAKS: Final = re.compile(
    r"(?:terraform|tofu|terragrunt)(?:\.exe)?\s+(?:-chdir|-\w|\$|\{|init|plan|apply|destroy|import|refresh|run|state)"
)
"""What stands in a text for a shell, and in few programs."""
_ITEM: Final = re.compile(rf"(?P<string>{_STRING})|(?P<name>[\w.]+)")
# `subprocess.run("terraform init")`, `sh "tofu plan"`, `script: "terraform apply"`
_CALL: Final = re.compile(
    r"(?:(?<![\w.-])(?:\w*_|[\w.]+\.)?(?i:call|check_call|check_output|cmd|command|exec|inline|local|popen|run|shell"
    r"|script|spawn|system)(?:_?(?:Sync|File|FileSync|Async|Command|command|Content|content|V)|_\w+)?[\"']?"
    r"[ \t]*(?:\([ \t\n]*\[?|=(?!=)|:)|^[ \t]*(?:sh|system))[ \t]*"
    r"(?P<prefix>[fFrR]{0,2})(?P<quote>\"\"\"|'''|[\"'`])(?P<text>(?>(?:\\.|(?!(?P=quote)).){0,2000}))(?P=quote)",
    re.DOTALL | re.MULTILINE,
)
_BRACES: Final = re.compile(r"(?<!\$)\{([^{}]*)\}|#\{([^{}]*)\}")
_ESCAPE: Final = re.compile(r"\\(.)", re.DOTALL)
_ESCAPES: Final = {"n": "\n", "t": "\t", "\n": ""}
_ELSEWHERE: Final = Unknown("where it runs is for the program to say")
_CALLER: Final = Unknown("what calls this program may hold it back")
_PROGRAM: Final = Script((), _ELSEWHERE, "program", serialised=_CALLER)


def claims(path: PurePosixPath, head: bytes, /) -> bool:
    """Of Go what says near its top that Mage or Dagger runs it: most else there is a tool's own source."""
    if path.suffix == ".go":
        return _OF_GO.search(head) is not None
    known = path.suffix in _SUFFIXES or path.name in _NAMES or path.name.endswith(".tm.hcl")
    return known or (not path.suffix and _RUN_BY.match(head) is not None)


def find(source: Source, /) -> Found[Run]:
    """What is only said, in a message or a docstring, is no call."""
    sheet, text = Sheet(source, NAME), source.text
    listed = [run for one in _LIST.finditer(text) for run in _started(sheet, Span(*one.span("words")))]
    calls = _CALL.finditer(text) if _SPEAKS.search(text) else ()
    of = replace(_PROGRAM, automated=".teamcity" in source.path.parts)
    return sheet.found([*(replace(of, parts=(_part(one),)) for one in calls), *listed])


def _part(call: re.Match[str]) -> Part:
    """What a call gives a shell; without escapes, and what is filled in as a shell would write it."""
    formatted = "f" in call["prefix"].lower() or "#{" in call["text"]
    plain = not formatted and "\\" not in call["text"]
    return Part(Span(*call.span("text")), said=None if plain else _meant(call["text"], formatted=formatted))


def _started(sheet: Sheet, at: Span) -> Iterator[Run]:
    items = _ITEM.finditer(sheet.source.text, at.start, at.end)
    words = tuple(Word(_word(item), Span(*item.span()), quoted=True) for item in items)
    line = command_line.read(Command(words))
    if line and line.command:
        there = moved(_PROGRAM, worked_in(line, _ELSEWHERE, sheet.source.text))
        yield sheet.run(line.runner, line.command, line.arguments, at, there)


def _word(item: re.Match[str]) -> str:
    """A word of a list as the program hands it on."""
    if item["name"]:
        return f"${item['name']}"
    prefix, _, said = item["string"].partition(item["string"][-1])
    return _meant(said[:-1], formatted="f" in prefix.lower())


def _meant(said: str, *, formatted: bool) -> str:
    plain = _ESCAPE.sub(lambda escape: _ESCAPES.get(escape[1], escape[1]), said)
    return _BRACES.sub("${x}", plain) if formatted else plain
