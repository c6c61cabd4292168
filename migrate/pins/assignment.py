"""Versions that a script, Makefile, `.env` file or the script of a pipeline sets: `TF_VERSION=1.9.8`."""

from __future__ import annotations

from pathlib import PurePosixPath
from typing import Final

from migrate.model import Pin, Refusal, Source
from migrate.plug import Edits, Found, Sources
from migrate.spelling import assignments
from migrate.spelling.choice import Sheet, checked
from migrate.spelling.version_names import may_choose, scope

NAME: Final = "assignment"


def claims(path: PurePosixPath, head: bytes, /) -> bool:
    return may_choose(path) and "ockerfile" not in path.name


def find(source: Source, /) -> Found[Pin]:
    return Found(tuple(assignments.find(Sheet(source, NAME), scope(source.path))))


def edit(sources: Sources, found: Pin, wish: str, /) -> Edits | Refusal:
    return checked(sources[found.path].text, found, wish)
