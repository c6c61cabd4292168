"""Development containers: features that install an engine, with its version or the newest."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import PurePosixPath
from typing import Final

from migrate.model import Pin, Source
from migrate.plug import Edits, Found, Sources
from migrate.spelling.choice import Sheet, replaced
from migrate.spelling.version_names import PACKAGES
from migrate.text import Span
from migrate.versions import Tool

NAME: Final = "devcontainer"

_FEATURE: Final = re.compile(
    r'"[\w./-]+/(?P<tool>terraform|opentofu|terragrunt)(?::[\w.]+)?"\s*:\s*(?P<options>\{[^{}]*\})'
)
_OPTION: Final = re.compile(r'"(?P<name>version|terragrunt)"\s*:\s*"(?P<text>[^"\n]*)"')


def claims(path: PurePosixPath, head: bytes, /) -> bool:
    return path.name in ("devcontainer.json", ".devcontainer.json")


def find(source: Source, /) -> Found[Pin]:
    """The file may have comments, so it is read by its features and not as JSON."""
    return Found(tuple(_pins(source)))


def edit(sources: Sources, found: Pin, wish: str, /) -> Edits:
    return replaced(found, wish)


def _pins(source: Source) -> Iterator[Pin]:
    sheet = Sheet(source, NAME)
    for feature in _FEATURE.finditer(source.text):
        options: Mapping[str, Span] = {
            option["name"]: Span(*option.span("text"))
            for option in _OPTION.finditer(source.text, *feature.span("options"))
        }
        tool: Tool = PACKAGES[feature["tool"]]
        if "version" not in options:
            why = "the feature installs the newest release of the day"
            yield sheet.unknown(tool, Span(*feature.span("tool")), why, PurePosixPath())
        for name, span in options.items():
            if span.of(source.text) != "none":
                whose = "terragrunt" if name == "terragrunt" else tool
                yield sheet.pin(whose, span, PurePosixPath())
