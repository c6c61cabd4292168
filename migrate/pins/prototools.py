"""`.prototools`: the versions that proto runs in a directory and below, before the first table."""

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

NAME: Final = "prototools"
edit: Final = replaced

_TABLE: Final = re.compile(r"(?m)^[ \t]*\[")
_ENTRY: Final = re.compile(
    r"""(?m)^\ufeff?+[ \t]*["']?(?P<tool>[\w:/.-]+)["']?[ \t]*=[ \t]*(["'])(?P<text>[^"'\n]*)\2"""
)


def claims(path: PurePosixPath, head: bytes, /) -> bool:
    return path.name == ".prototools"


@collected
def find(source: Source, /) -> Iterator[Pin]:
    """A tool of a plugin is called as its plugin is, `asdf:terraform` as asdf calls it."""
    sheet, table = Sheet.of_folder(source, NAME), _TABLE.search(source.text)
    for entry in _ENTRY.finditer(source.text, 0, table.start() if table else len(source.text)):
        if tool := PACKAGES.get(entry["tool"].rpartition(":")[2]):
            yield sheet.pin(tool, Span(*entry.span("text")))
