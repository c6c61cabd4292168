"""AWS CodeBuild: the commands of all phases are one shell; how many builds run at once the project says."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import Final

from migrate import yamltree
from migrate.model import Run, Source, Unknown
from migrate.plug import Found
from migrate.spelling.runs import Script, Sheet
from migrate.spelling.yaml_scripts import HOSTED, cached, in_yaml, scripts

NAME: Final = "buildspec"

_FILE: Final = re.compile(r"(?i)(?:.*/)?(?:[\w.-]*buildspec[\w.-]*|buildspecs?/.*)\.ya?ml")
_PROJECT: Final = Unknown("how many builds run at once is a setting of the CodeBuild project")


def claims(path: PurePosixPath, head: bytes, /) -> bool:
    return _FILE.fullmatch(str(path)) is not None


def find(source: Source, /) -> Found[Run]:
    return in_yaml(Sheet(source, NAME), _items)


def _items(sheet: Sheet, document: yamltree.Node) -> Iterator[Script | Run]:
    phases = scripts(sheet.source.text, yamltree.at(document, "phases"), ("commands", "finally"))
    parts = tuple(part for _, _, some in phases for part in some)
    script = Script(parts, automated=True, serialised=_PROJECT, kept=HOSTED)
    yield script
    yield from cached(sheet, document, script, "cache", "paths")
