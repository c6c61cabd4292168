"""Which files a unit includes, and which module it runs: the walk through them is somebody else's."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from migrate.evaluation.config import includes
from migrate.model import Link
from migrate.sites import Sheet
from migrate.text import begins_line

_SOURCE: Final = re.compile(
    r'source[ \t]*=[ \t]*"(?:\$\{get_terragrunt_dir\(\)\}/)?(?P<path>(?:\.\.?/)[^"$?]*)'
)


def links(sheet: Sheet) -> Iterator[Link]:
    """An include for each included file, its expression as written; a module for a source in reach."""
    text = sheet.source.text
    for expression in includes(text).values():
        yield Link("include", sheet.place(text.find(expression)), expression)
    if found := next((one for one in _SOURCE.finditer(text) if begins_line(text, one.start())), None):
        yield Link("module", sheet.place(found.start("path")), found["path"])
