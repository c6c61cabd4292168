"""Dockerfiles and Earthfiles: `RUN` lines, and what a container starts."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import Final

from migrate import jsontree
from migrate.model import Run, Source, Unknown
from migrate.plug import Found
from migrate.spelling.command_line import runner_of
from migrate.spelling.runs import NO, Part, Script, Sheet
from migrate.text import Span

NAME: Final = "dockerfile"

_INSTRUCTION: Final = re.compile(
    r"(?mi)^[ \t]*(?:RUN|CMD|ENTRYPOINT)[ \t]+(?P<what>(?>(?:[^\n\\]++|\\(?:\r?\n|.)?)+))"
)
_IMAGE: Final = Unknown("it runs where the image says")


def claims(path: PurePosixPath, head: bytes, /) -> bool:
    return "ockerfile" in path.name or path.name in ("Containerfile", "Earthfile")


def find(source: Source, /) -> Found[Run]:
    sheet = Sheet(source, NAME)
    return sheet.found(_items(sheet))


def _items(sheet: Sheet) -> Iterator[Script | Run]:
    for instruction in _INSTRUCTION.finditer(sheet.source.text):
        at = Span(*instruction.span("what"))
        if instruction["what"].lstrip().startswith("["):
            yield from _started(sheet, at, instruction["what"])
        else:
            yield Script((Part(at),), _IMAGE, "image", kept=NO)


def _started(sheet: Sheet, at: Span, items: str) -> Iterator[Run]:
    """`["terraform", "init"]`"""
    tree = jsontree.parse(items)
    listed = tree.items if isinstance(tree, jsontree.Array) else ()
    words = [one.value for one in listed if isinstance(one, jsontree.Text)]
    runner = runner_of(words[0]) if len(words) > 1 else None
    if runner:
        yield sheet.run(runner, words[1], words[2:], at, Script((), _IMAGE, "image", kept=NO))
