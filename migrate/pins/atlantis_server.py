"""Atlantis as Terraform's code deploys it: the release that its server runs unless a project says another."""

from __future__ import annotations

import re
from pathlib import PurePosixPath
from typing import Final

from migrate.model import Pin, Source
from migrate.plug import Edits, Found, Sources
from migrate.spelling.choice import Sheet, replaced
from migrate.text import Span

NAME: Final = "atlantis_server"

_SET: Final = re.compile(
    r"\bATLANTIS_DEFAULT_TF_VERSION\"?\s*(?:[=:]|,?\s*\"?value\"?\s*[=:])\s*"
    r"(?:\"(?P<text>[^\"$\n]+)\"|(?P<other>[^\s,}]+))"
)


def claims(path: PurePosixPath, head: bytes, /) -> bool:
    return path.suffix in (".tf", ".tofu", ".tfvars", ".hcl", ".json")


def find(source: Source, /) -> Found[Pin]:
    """In a map, or in a list of names and values; what is no literal is Unknown with its text."""
    sheet = Sheet(source, NAME)
    return Found(
        tuple(
            sheet.unknown("terraform", Span(*found.span("other")), f"Atlantis runs {found['other']}", _ALL)
            if found["other"]
            else sheet.pin("terraform", Span(*found.span("text")), _ALL)
            for found in _SET.finditer(sheet.code)
        )
    )


_ALL: Final = PurePosixPath()


def edit(sources: Sources, found: Pin, wish: str, /) -> Edits:
    return replaced(found, wish)
