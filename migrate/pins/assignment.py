"""Versions that a script, Makefile, program, `.env` or JSON file sets: `TF_VERSION=1.9.8`."""

from __future__ import annotations

import re
from pathlib import PurePosixPath
from typing import Final

from migrate.model import Pin, Source
from migrate.plug import Found
from migrate.spelling import assignments
from migrate.spelling.choice import Sheet, checked
from migrate.spelling.version_names import may_choose, scope

NAME: Final = "assignment"
edit: Final = checked


_ANOTHERS: Final = (
    *("devbox.json", "devcontainer.json", ".devcontainer.json"),  # which are pins of their own
    *("package.json", "package-lock.json", ".release-please-manifest.json"),  # of modules and folders
)
_RECORD: Final = re.compile(rb'"(?:serial|lineage|format_version|provider_selections|@level)"')
"""What tells a state, a plan and what an engine prints, which all say the release that made them."""


def claims(path: PurePosixPath, head: bytes, /) -> bool:
    if path.suffix == ".json":
        code = path.name.endswith((".tf.json", ".tofu.json"))
        return not (code or path.name in _ANOTHERS or _RECORD.search(head))
    return may_choose(path) and "ockerfile" not in path.name


def find(source: Source, /) -> Found[Pin]:
    return Found(tuple(assignments.find(Sheet(source, NAME, scope(source.path)))))
