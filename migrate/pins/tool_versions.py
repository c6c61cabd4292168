"""`.tool-versions` of asdf and its kin: a tool, the version to run and those to fall back to."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import Final

from migrate.model import Pin, Source
from migrate.plug import collected
from migrate.spelling.choice import Sheet, replaced
from migrate.spelling.version_names import PACKAGES
from migrate.text import Span

NAME: Final = "tool_versions"
edit: Final = replaced

_LINE: Final = re.compile(r"(?m)^\ufeff?+[ \t]*(?P<tool>[\w/.-]+)(?P<versions>(?:[ \t]+[^\s#]+)+)")
_VERSION: Final = re.compile(r"\S+")


def claims(path: PurePosixPath, head: bytes, /) -> bool:
    return path.name == ".tool-versions"


@collected
def find(source: Source, /) -> Iterator[Pin]:
    """Every version of an engine: which of several is installed, source does not say."""
    sheet = Sheet.of_folder(source, NAME)
    for line in _LINE.finditer(source.text):
        if tool := PACKAGES.get(line["tool"]):
            words = _VERSION.finditer(source.text, *line.span("versions"))
            yield from (sheet.pin(tool, Span(*word.span())) for word in words)
