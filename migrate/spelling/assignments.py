"""Versions that a script sets: `TF_VERSION=1.9.8`, with `export`, `ARG` or `ENV` in front, or with `?=`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import Final

from migrate.model import Pin
from migrate.spelling.choice import Sheet
from migrate.spelling.version_names import tool_of
from migrate.text import Span

_SET: Final = re.compile(
    r"(?<![\w$.{-])(?P<name>[A-Z_]+_VERSION)[ \t]*[?:]{0,2}=[ \t]*"
    r"(?P<quote>[\"']?)(?P<value>[^\s\"'#;,]+)"
)
_ENV: Final = re.compile(
    r"(?m)^[ \t]*ENV[ \t]+(?P<name>\w+_VERSION)[ \t]+(?P<quote>[\"']?)(?P<value>[^\s\"'#=]+)"
)
_DEFAULT: Final = re.compile(r"\$\{\w+:?-(v?\d[\w.]*)\}")
_READS_FILE: Final = re.compile(r"\$\((?:shell\s+)?(?:cat|<)\s")


def find(sheet: Sheet, root: PurePosixPath) -> Iterator[Pin]:
    """Every version that is set. One that is only passed on is chosen where the other variable is set."""
    text = sheet.source.text
    for match in sorted([*_SET.finditer(text), *_ENV.finditer(text)], key=lambda match: match.start()):
        tool, value, span = tool_of(match["name"]), match["value"], Span(*match.span("value"))
        default = _DEFAULT.fullmatch(value)
        if tool is None:
            continue
        if default:
            yield sheet.pin(tool, Span(*(span.start + at for at in default.span(1))), root)
        elif value.startswith(("$(", "`")):
            if not _READS_FILE.match(text, span.start):
                why = f"{match['name']} is what a command says when it runs"
                yield sheet.unknown(tool, span, why, root)
        elif value[0].isdigit() or value[:1] == "v" or value == "latest":
            yield sheet.pin(tool, span, root)
