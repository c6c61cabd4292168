"""Container images in pipelines, scripts, compose files and hooks: `image: hashicorp/terraform:1.9.8`."""

from __future__ import annotations

from pathlib import PurePosixPath
from typing import Final

from migrate.model import Pin, Refusal, Source
from migrate.plug import Edits, Found, Sources
from migrate.spelling import images
from migrate.spelling.choice import Sheet
from migrate.spelling.version_names import is_script, scope

NAME: Final = "image"


def claims(path: PurePosixPath, head: bytes, /) -> bool:
    return (is_script(path) or path.name == "devcontainer.json") and "ockerfile" not in path.name


def find(source: Source, /) -> Found[Pin]:
    return Found(tuple(images.find(Sheet(source, NAME), scope(source.path))))


def edit(sources: Sources, found: Pin, wish: str, /) -> Edits | Refusal:
    return images.edit(sources[found.path].text, found, wish)
