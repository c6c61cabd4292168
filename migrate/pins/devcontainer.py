"""Development containers: features that install an engine, and versions that a build is given."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import PurePosixPath
from typing import Final

from migrate.model import Pin, Source
from migrate.plug import Found
from migrate.spelling.choice import Sheet, replaced
from migrate.spelling.version_names import PACKAGES, tool_of
from migrate.text import Span
from migrate.versions import Tool

NAME: Final = "devcontainer"
edit: Final = replaced

_FEATURE: Final = re.compile(
    r'"[\w./-]+/(?P<tool>terraform|opentofu|terragrunt)(?::[\w.]+)?"\s*:\s*(?P<options>\{[^{}]*\})'
)
_GIVEN: Final = re.compile(r'"(?P<name>\w+_VERSION)"\s*:\s*"(?P<text>[^"\n]*)"')
_OPTION: Final = re.compile(r'"(?P<name>version|terragrunt)"\s*:\s*"(?P<text>[^"\n]*)"')


def claims(path: PurePosixPath, head: bytes, /) -> bool:
    return path.name in ("devcontainer.json", ".devcontainer.json")


def find(source: Source, /) -> Found[Pin]:
    """The file may have comments, so it is read by its features and `build.args`, and not as JSON."""
    sheet = Sheet(source, NAME)
    return Found((*_given(sheet), *_features(sheet)))


def _given(sheet: Sheet) -> Iterator[Pin]:
    for given in _GIVEN.finditer(sheet.code):
        if tool := tool_of(given["name"]):
            yield sheet.pin(tool, Span(*given.span("text")), given["name"])


def _features(sheet: Sheet) -> Iterator[Pin]:
    for feature in _FEATURE.finditer(sheet.code):
        options: Mapping[str, Span] = {
            option["name"]: Span(*option.span("text"))
            for option in _OPTION.finditer(sheet.code, *feature.span("options"))
        }
        tool: Tool = PACKAGES[feature["tool"]]
        if "version" not in options:
            why = "the feature installs the newest release of the day"
            yield sheet.unknown(tool, Span(*feature.span("tool")), why)
        for name, span in options.items():
            if span.of(sheet.code) != "none":
                whose = "terragrunt" if name == "terragrunt" else tool
                yield sheet.pin(whose, span)
