"""Which files a unit includes, and which module it runs: the walk through them is somebody else's."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from migrate.evaluation.config import includes
from migrate.model import Link
from migrate.sites import Sheet

_SOURCE: Final = re.compile(
    r'^[ \t]*source[ \t]*=[ \t]*"(?:\$\{get_terragrunt_dir\(\)\}/)?((?:\.\.?/)[^"$?]*)', re.MULTILINE
)


def links(sheet: Sheet) -> Iterator[Link]:
    """An include for each included file, its expression as written; a module for a source in reach."""
    text = sheet.source.text
    for expression in includes(text).values():
        yield Link("include", sheet.place(text.find(expression)), expression)
    if found := _SOURCE.search(text):
        yield Link("module", sheet.place(found.start(1)), found[1])
