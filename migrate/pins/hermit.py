"""Hermit: a link in its `bin` folder, whose name says which release is run: `.terraform-1.9.8.pkg`."""

from __future__ import annotations

import re
from pathlib import PurePosixPath
from typing import Final

from migrate.model import Pin, Refusal, Source
from migrate.plug import Found, Sources
from migrate.spelling.choice import Sheet
from migrate.spelling.version_names import PACKAGES
from migrate.text import Span

NAME: Final = "hermit"

_LINK: Final = re.compile(r"\.(?P<tool>terraform|tofu|opentofu|terragrunt)[-@](?P<version>.+)\.pkg")


def claims(path: PurePosixPath, head: bytes, /) -> bool:
    return _LINK.fullmatch(path.name) is not None


def find(source: Source, /) -> Found[Pin]:
    """Of a link, which is read as its own name."""
    link = _LINK.fullmatch(source.text)
    if link is None:
        return Found()
    version = Span(*link.span("version"))
    return Found((Sheet(source, NAME).pin(PACKAGES[link["tool"]], version),))


def edit(sources: Sources, found: Pin, wish: str, /) -> Refusal:
    return Refusal(
        found.place, "the name of a link chooses the release", f"hermit install {found.engine}-{wish}"
    )
