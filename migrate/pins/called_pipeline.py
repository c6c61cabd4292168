"""Pipelines of another repository that are called after an engine and told no version: they choose it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import Final

from migrate import yamltree
from migrate.model import Pin, Source, Suggestion
from migrate.plug import Found, Sources
from migrate.spelling.choice import Sheet
from migrate.spelling.version_names import TOOLS, scope, tool_of

NAME: Final = "called_pipeline"

_FILE: Final = re.compile(
    r"(?i)\.github/workflows/.*\.ya?ml|(?:.*/)?\.?(?:gitlab|azure)[\w.-]*(?:/.*)?\.ya?ml"
)
_WORKFLOW: Final = re.compile(r"[\w.-]+/[\w.-]+/\.github/workflows/[^@\s]+@\S+")
_TEMPLATE: Final = re.compile(r"[^@\s]+\.ya?ml@\S+")
_ENGINE: Final = re.compile(r"(?i)(?<![a-z])(?P<tool>terraform|opentofu|tofu|terragrunt|tf|tg)(?![a-z])")
_ASIDE: Final = re.compile(
    r"(?i)(?<![a-z])(?:docs?|fmt|format|lint|release|scan|sec|tags?|tests?|validate)(?![a-z])"
)
"""What such a pipeline is for that touches no state."""


def claims(path: PurePosixPath, head: bytes, /) -> bool:
    return _FILE.fullmatch(str(path)) is not None


def find(source: Source, /) -> Found[Pin]:
    """Reusable workflows of GitHub, files that GitLab includes, templates of Azure Pipelines."""
    sheet = Sheet(source, NAME, scope(source.path))
    return Found(tuple(pin for document in yamltree.parse(source.text) for pin in _pins(sheet, document)))


def edit(sources: Sources, found: Pin, wish: str, /) -> Suggestion:
    return Suggestion(found.place, f"let it choose {wish}", "the pipeline that is called chooses the release")


def _pins(sheet: Sheet, document: yamltree.Node) -> Iterator[Pin]:
    for _, node in yamltree.walk(document):
        given = [one for part in ("with", "inputs", "parameters") for one in yamltree.members(node, part)]
        told = any(tool_of(one.key.value) for one in given)
        for called in _called(node):
            found = _ENGINE.search(called.value)
            if found and not _ASIDE.search(called.value) and not told:
                tool = TOOLS[found["tool"].lower()]
                why = f"{called.value} chooses the release, and is told none"
                engine = None if tool == "terragrunt" else tool
                yield sheet.unknown(engine, called.span, why)


def _called(node: yamltree.Node) -> Iterator[yamltree.Scalar]:
    for key, pattern in (("uses", _WORKFLOW), ("template", _TEMPLATE)):
        value = yamltree.scalar(node, key)
        if value and pattern.fullmatch(value.value):
            yield value
    files = yamltree.at(node, "file") if yamltree.at(node, "project") else yamltree.at(node, "remote")
    for file in files.items if isinstance(files, yamltree.Sequence) else (files,):
        if isinstance(file, yamltree.Scalar):
            yield file
