"""Versions that a script sets: `TF_VERSION=1.9.8`, with `export`, `ARG`, `ENV` or `$` in front, or with `?=`.

A flag that is called after a version sets it, too: `--default-tf-version=1.9.8`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import Final

from migrate.model import Pin
from migrate.spelling.choice import Sheet
from migrate.spelling.version_names import tool_of
from migrate.text import Span

_VALUE: Final = r"(?P<quote>[\"']?)(?P<value>[^\s\"'#;,=\\]+)"
_SET: Final = re.compile(
    r"(?m)(?:(?<![\w$.{-])|^[ \t]*\$)(?P<name>\w*(?i:version|ver))[ \t]*[?:+]{0,2}=[ \t]*" + _VALUE
)
_ENDS: Final = re.compile(r"(?i)ver(?:sion)?[ \t]*[?:+]{0,2}=")
"""What each of those holds: few files do, and it is found in a fifth of the time."""
_FLAG: Final = re.compile(r"(?<![\w-])--(?P<name>[\w-]+-version)(?:=|[ \t]+)" + _VALUE)
_ENV: Final = re.compile(r"(?m)^[ \t]*ENV[ \t]+(?P<name>\w+_VERSION)[ \t]+" + _VALUE)
_DEFAULT: Final = re.compile(r"\$\{\w+:?-(v?\d[\w.]*)\}")
_READS_FILE: Final = re.compile(r"\$\((?:shell\s+)?(?:cat|<)\s")
_PASSED: Final = re.compile(r"\$\((?:[A-Z0-9_]+|\w*version)\)")  # how make names a variable
_LITERAL: Final = re.compile(r"v?\d|latest\Z")
_GIVEN: Final = re.compile(r"\$\{?\d\}?|%~?\d")


def find(sheet: Sheet, root: PurePosixPath) -> Iterator[Pin]:
    """Every version that is set. One that is only passed on is chosen where the other variable is set."""
    used = (_SET, _FLAG, _ENV) if _ENDS.search(sheet.code) else (_FLAG, _ENV)
    matches = (match for pattern in used for match in pattern.finditer(sheet.code))
    for match in sorted(matches, key=lambda match: match.start()):
        tool, value, span = tool_of(match["name"]), match["value"], Span(*match.span("value"))
        default = _DEFAULT.fullmatch(value)
        if tool is None:
            continue
        if default:
            yield sheet.pin(tool, Span(*(span.start + at for at in default.span(1))), root, match["name"])
        elif _GIVEN.fullmatch(value):
            yield sheet.unknown(tool, span, f"{match['name']} is what the script is called with", root)
        elif value.startswith(("$(", "`")) and not _PASSED.fullmatch(value):
            if not _READS_FILE.match(sheet.code, span.start):
                why = f"{match['name']} is what a command says when it runs"
                yield sheet.unknown(tool, span, why, root)
        elif _LITERAL.match(value):
            yield sheet.pin(tool, span, root, match["name"])
