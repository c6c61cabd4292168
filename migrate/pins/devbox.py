"""`devbox.json`: packages with the version that Nix shall find for them, as a list or as a map."""

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

NAME: Final = "devbox"
edit: Final = replaced

_PACKAGES: Final = re.compile(r'"packages"\s*+:\s*+(?:\[[^\]]*+\]|\{(?>[^{}]++|\{[^{}]*+\})*\})')
_ENGINE: Final = re.compile(
    r'"(?:[^"\n]*[:#])?(?P<tool>terraform|opentofu|terragrunt)(?:_[\d_]+)?'
    r'(?:@(?P<listed>[^"\n]*))?"(?:\s*:\s*(?:\{[^{}]*?"version"\s*:\s*)?"(?P<keyed>[^"\n]*)")?'
)


def claims(path: PurePosixPath, head: bytes, /) -> bool:
    return path.name == "devbox.json"


@collected
def find(source: Source, /) -> Iterator[Pin]:
    """A package that is told no version is that of the package set it comes from."""
    sheet = Sheet.of_folder(source, NAME)
    for packages in _PACKAGES.finditer(sheet.code):
        for engine in _ENGINE.finditer(sheet.code, *packages.span()):
            told = next((part for part in ("listed", "keyed") if engine[part]), None)
            tool = PACKAGES[engine["tool"]]
            if told:
                yield sheet.pin(tool, Span(*engine.span(told)))
            else:
                why = f"devbox takes the {engine['tool']} of a package set"
                yield sheet.unknown(tool, Span(*engine.span("tool")), why)
