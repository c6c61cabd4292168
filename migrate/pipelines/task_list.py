"""Tasks that are texts of a list: `scripts` of npm and of devbox, `run` of mise, a Procfile, tox."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import Final

from migrate import jsontree
from migrate.model import Known, Run, Source
from migrate.plug import Found
from migrate.spelling.runs import Part, Script, Sheet
from migrate.text import Span

NAME: Final = "task_list"

_JSON: Final = ("package.json", "composer.json", "deno.json", "devbox.json")
_HELD: Final = ("scripts", "tasks")
_MISE: Final = re.compile(r"\.?mise[\w.-]*\.toml")
_RUN: Final = re.compile(
    r"(?m)^[ \t]*run(?:_windows)?[ \t]*=[ \t]*"
    r"(?:\"\"\"(?P<lines>(?>[^\"]++|\"(?!\"\"))*)|'''(?P<raw>(?>[^']++|'(?!''))*)|(?P<rest>[^\n]*))"
)
_QUOTED: Final = re.compile(r"\"((?>[^\"\\\n]++|\\.)*)\"|'([^'\n]*)'")
_LINES: Final = {
    "Procfile": re.compile(r"(?m)^[\w-]+:[ \t]*(\S.*)$"),
    "tox.ini": re.compile(r"(?m)^(?:commands\w*[ \t]*=[ \t]*|[ \t]+)(\S.*)$"),
}


def claims(path: PurePosixPath, head: bytes, /) -> bool:
    return path.name in (*_JSON, *_LINES) or _MISE.fullmatch(path.name) is not None


def find(source: Source, /) -> Found[Run]:
    """Each text is a shell of its own, in the directory of the file."""
    if source.path.suffix == ".json":
        parts = _of_json(source.text)
    elif source.path.suffix == ".toml":
        parts = _of_mise(source.text)
    else:
        lines = _LINES[source.path.name].finditer(source.text)
        parts = (Part(Span(*line.span(1))) for line in lines)
    where = Known(source.path.parent)
    return Sheet(source, NAME).found(Script((part,), where, "tasks") for part in parts)


def _of_json(text: str) -> Iterator[Part]:
    tree = jsontree.parse(text)
    for node in () if isinstance(tree, jsontree.Mistake) else jsontree.walk(tree):
        for member in node.members if isinstance(node, jsontree.Object) else ():
            for task in jsontree.walk(member.value) if member.key.value in _HELD else ():
                if isinstance(task, jsontree.Text):
                    yield _part(text, Span(task.span.start + 1, task.span.end - 1), task.value)


def _of_mise(text: str) -> Iterator[Part]:
    for found in _RUN.finditer(text):
        for kind in ("lines", "raw"):
            if found[kind] is not None:
                yield Part(Span(*found.span(kind)))
        for one in _QUOTED.finditer(text, *found.span("rest")) if found["rest"] is not None else ():
            span = Span(*one.span(1 if one[1] is not None else 2))
            yield _part(text, span, span.of(text).replace('\\"', '"'))


def _part(text: str, span: Span, said: str) -> Part:
    return Part(span, said=None if span.of(text) == said else said)
