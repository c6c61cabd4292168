"""Dockerfiles: the images that they build `FROM`, `ARG` and `ENV`."""

from __future__ import annotations

import re
from pathlib import PurePosixPath
from typing import Final

from migrate.model import Pin, Refusal, Source
from migrate.plug import Edits, Found, Sources
from migrate.spelling import assignments, images
from migrate.spelling.choice import Sheet
from migrate.spelling.version_names import scope

NAME: Final = "dockerfile"

_CHECKSUM: Final = re.compile(
    r"(?i)\b\w*(?:TERRAFORM|TOFU|TERRAGRUNT|TF|TG)\w*(?:SHA|SUM)\w*[= ]+[\"']?[0-9a-f]{40,}"
)


def claims(path: PurePosixPath, head: bytes, /) -> bool:
    return "ockerfile" in path.name or path.name == "Containerfile"


def find(source: Source, /) -> Found[Pin]:
    sheet, root = Sheet(source, NAME), scope(source.path)
    return Found((*images.find(sheet, root), *assignments.find(sheet, root)))


def edit(sources: Sources, found: Pin, wish: str, /) -> Edits | Refusal:
    """A version whose checksum stands beside it is not changed alone: the build would break."""
    text = sources[found.path].text
    if _CHECKSUM.search(text):
        return Refusal(
            found.place,
            "a checksum of the old release stands in this file",
            f"go to {wish} with its checksum",
        )
    return images.edit(text, found, wish)
