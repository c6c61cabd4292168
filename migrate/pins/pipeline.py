"""Versions in YAML, under keys and in variables: of pipelines, services, and tools that make a runner.

All say it alike: `TF_VERSION: 1.9.8`, `terraformVersion: 1.9.8`, a `name` with a `value`. Another name is
another word in `version_names`.
"""

from __future__ import annotations

import re
from pathlib import PurePosixPath
from typing import Final

from migrate import yamltree
from migrate.model import Pin, Source
from migrate.plug import Found
from migrate.spelling import version_keys, version_names
from migrate.spelling.choice import Sheet

NAME: Final = "pipeline"
edit: Final = version_keys.edit

_READ_CLOSER: Final = re.compile(r"\.github/workflows/.*|(?:.*/)?(?:action|atlantis|repos)\.ya?ml")
"""In which directory a job works, and what a project is, other kinds of pins know."""


def claims(path: PurePosixPath, head: bytes, /) -> bool:
    return path.suffix in (".yml", ".yaml") and not _READ_CLOSER.fullmatch(str(path))


def find(source: Source, /) -> Found[Pin]:
    """For all roots: which of them a pipeline serves is seldom said."""
    sheet = Sheet(source, NAME, version_names.scope(source.path))
    choices = version_keys.choices(yamltree.parse(source.text))
    return Found(tuple(choice.pin(sheet) for choice in choices))
