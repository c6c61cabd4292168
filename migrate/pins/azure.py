"""Azure Pipelines: the task that installs Terraform, where it is told no version."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import Final

from migrate import yamltree
from migrate.model import Pin, Source, Suggestion
from migrate.plug import Found, Sources
from migrate.spelling.choice import Sheet
from migrate.spelling.version_names import scope

NAME: Final = "azure"

_INSTALLER: Final = re.compile(r"(?i)(?:[\w.-]+\.)?TerraformInstaller@\d+")


def claims(path: PurePosixPath, head: bytes, /) -> bool:
    return path.suffix in (".yml", ".yaml")


def find(source: Source, /) -> Found[Pin]:
    """A version that it is told stands under a key that says so, and is another's."""
    sheet = Sheet(source, NAME, scope(source.path))
    return Found(tuple(pin for document in yamltree.parse(source.text) for pin in _pins(sheet, document)))


def edit(sources: Sources, found: Pin, wish: str, /) -> Suggestion:
    return Suggestion(found.place, f"terraformVersion: {wish}", "the task is told no version")


def _pins(sheet: Sheet, document: yamltree.Node) -> Iterator[Pin]:
    for _, step in yamltree.walk(document):
        task = yamltree.scalar(step, "task")
        told = yamltree.at(step, "inputs", "terraformVersion") is not None
        if task and _INSTALLER.fullmatch(task.value) and not told:
            why = f"{task.value} installs the newest release of the day"
            yield sheet.unknown("terraform", task.span, why)
