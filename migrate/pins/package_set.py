"""Nix and Homebrew: the engine is that of a package set, which source does not show. Never edited."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import Final

from migrate.model import Pin, Source, Suggestion
from migrate.plug import Found, Sources
from migrate.spelling.choice import Sheet
from migrate.spelling.version_names import PACKAGES
from migrate.text import Span

NAME: Final = "package_set"

_BREW: Final = re.compile(
    r"""(?m)^[ \t]*brew[ \t(]+["'](?:[\w-]+/)*(?P<tool>terraform|opentofu|terragrunt)(?:@[\d.]+)?["']"""
)
_NIX: Final = re.compile(
    r"(?m)^[^#\n]*?(?<![\w.\"-])(?:pkgs\.|languages\.)?(?P<tool>terraform|opentofu|terragrunt)(?:_[\d_]+)?(?![\w/-])"
)


def claims(path: PurePosixPath, head: bytes, /) -> bool:
    return path.name == "Brewfile" or path.suffix == ".nix"


def find(source: Source, /) -> Found[Pin]:
    return Found(tuple(_pins(source)))


def edit(sources: Sources, found: Pin, wish: str, /) -> Suggestion:
    return Suggestion(
        found.place, f"take a package set with {wish}", "the release is that of the package set"
    )


def _pins(source: Source) -> Iterator[Pin]:
    sheet = Sheet(source, NAME)
    pattern = _BREW if source.path.name == "Brewfile" else _NIX
    for match in pattern.finditer(source.text):
        tool, span = PACKAGES[match["tool"]], Span(*match.span("tool"))
        why = f"{source.path.name} takes the {match['tool']} of its package set"
        yield sheet.unknown(tool, span, why, PurePosixPath())
