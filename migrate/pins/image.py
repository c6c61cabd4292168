"""Container images in what runs, and in what makes it: `image: hashicorp/terraform:1.9.8`."""

from __future__ import annotations

from pathlib import PurePosixPath
from typing import Final

from migrate.model import Pin, Source
from migrate.plug import Found
from migrate.spelling import images
from migrate.spelling.choice import Sheet
from migrate.spelling.version_names import may_choose, scope

NAME: Final = "image"
edit: Final = images.edit


def claims(path: PurePosixPath, head: bytes, /) -> bool:
    """Of programs in Go, Dagger's: others that name an image test their own tool with it."""
    of_dagger = path.suffix == ".go" and b"dagger" in head
    return of_dagger or (may_choose(path) and "ockerfile" not in path.name)


def find(source: Source, /) -> Found[Pin]:
    return Found(tuple(images.find(Sheet(source, NAME, scope(source.path)))))
