"""`.terraform-version` and its like of OpenTofu and Terragrunt: what a version switcher runs in a directory
and below.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import PurePosixPath
from typing import Final

from migrate.model import Pin, Source
from migrate.plug import Found
from migrate.spelling.choice import Sheet, replaced
from migrate.text import Span
from migrate.versions import Tool

NAME: Final = "version_file"
edit: Final = replaced

_TOOLS: Final[Mapping[str, Tool]] = {
    ".terraform-version": "terraform",
    ".opentofu-version": "opentofu",
    ".terragrunt-version": "terragrunt",
}
_VERSION: Final = re.compile(r"(?m)^\ufeff?+[ \t]*([^\s#]+)")


def claims(path: PurePosixPath, head: bytes, /) -> bool:
    return path.name in _TOOLS


def find(source: Source, /) -> Found[Pin]:
    """The first word that is no comment; `latest:^1.9` and `min-required` are chosen at run time."""
    match = _VERSION.search(source.text)
    if match is None:
        return Found()
    tool = _TOOLS[source.path.name]
    return Found((Sheet.of_folder(source, NAME).pin(tool, Span(*match.span(1))),))
