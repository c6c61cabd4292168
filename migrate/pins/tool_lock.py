"""What tool managers lock: aqua's checksums, the locks of mise, devbox and proto. They go with the release
that stands in the file beside, and only their own tool writes them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import PurePosixPath
from typing import Final

from migrate.model import Pin, Refusal, Source
from migrate.plug import Sources, collected
from migrate.spelling.choice import Sheet
from migrate.spelling.version_names import PACKAGES
from migrate.text import Span

NAME: Final = "tool_lock"

_ENGINE: Final = r"(?P<tool>terraform|opentofu|tofu|terragrunt)"
_VERSION: Final = r"v?(?P<version>\d+\.\d+\.\d+[\w.-]*)"
_KINDS: Final[Mapping[str, tuple[re.Pattern[str], str]]] = {
    "aqua-checksums.json": (
        re.compile(rf"/{_ENGINE}/{_VERSION}/[^/\"]+\""),
        "set {version} in aqua's configuration and run `aqua update-checksum`",
    ),
    "devbox.lock": (re.compile(rf"\"{_ENGINE}@{_VERSION}\"\s*:"), "run `devbox add {tool}@{version}`"),
    "mise.lock": (
        re.compile(
            rf"(?m)^\[\[?tools\.\"?(?:[\w:/.-]*[:/])?{_ENGINE}\"?\]\]?\s+version\s*=\s*\"{_VERSION}\""
        ),
        "run `mise use {tool}@{version}`",
    ),
    ".protolock": (
        re.compile(rf"(?m)^\[\[?(?:tools\.)?\"?{_ENGINE}\"?\]\]?[^\[]*?^version\s*=\s*\"{_VERSION}\""),
        "run `proto pin {tool} {version} --resolve` and `proto install`",
    ),
}


def claims(path: PurePosixPath, head: bytes, /) -> bool:
    return path.name in _KINDS


@collected
def find(source: Source, /) -> Iterator[Pin]:
    """Every release that is locked: it is what runs, whatever the file beside asks for."""
    sheet, (pattern, _) = Sheet.of_folder(source, NAME), _KINDS[source.path.name]
    for locked in pattern.finditer(source.text):
        yield sheet.pin(PACKAGES[locked["tool"]], Span(*locked.span("version")))


def edit(sources: Sources, found: Pin, wish: str, /) -> Refusal:
    _, command = _KINDS[found.path.name]
    todo = command.format(tool=found.engine, version=wish)
    return Refusal(found.place, "a lock of a tool manager holds the release", f"{todo}, then run this again")
