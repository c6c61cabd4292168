"""Dockerfiles: the images that they build `FROM`, `ARG` and `ENV`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import Final

from migrate.model import Pin, Refusal, Source
from migrate.plug import Edits, Found, Sources
from migrate.spelling import assignments, images
from migrate.spelling.choice import Sheet, checked
from migrate.spelling.version_names import scope, tool_of
from migrate.text import Span

NAME: Final = "dockerfile"

_ARG: Final = re.compile(r"(?m)^[ \t]*ARG[ \t]+(?P<name>\w+)[ \t]*\r?$")


def claims(path: PurePosixPath, head: bytes, /) -> bool:
    return "ockerfile" in path.name or path.name == "Containerfile"


def find(source: Source, /) -> Found[Pin]:
    """An `ARG` without a default is chosen by whoever builds the image."""
    sheet = Sheet(source, NAME, scope(source.path))
    return Found((*images.find(sheet), *assignments.find(sheet), *_asked(sheet)))


def _asked(sheet: Sheet) -> Iterator[Pin]:
    passed = set()
    for arg in _ARG.finditer(sheet.code):
        name, tool = arg["name"], tool_of(arg["name"])
        if tool and name not in passed and not re.search(rf"\b{name}=[\"']?[\w.]", sheet.code):
            why = f"{name} is given when the image is built"
            yield sheet.asked(tool, Span(*arg.span("name")), why, name)
        passed.add(name)


def edit(sources: Sources, found: Pin, wish: str, /) -> Edits | Refusal:
    answer = checked(sources, found, wish)
    return answer if isinstance(answer, Refusal) else images.edit(sources, found, wish)
