"""AWS CodeBuild: the commands of all phases are one shell; how many builds run at once the project says."""

from __future__ import annotations

import re
from pathlib import PurePosixPath
from typing import Final

from migrate import yamltree
from migrate.model import Run, Source, Unknown
from migrate.plug import Found
from migrate.spelling.runs import Script, Sheet
from migrate.spelling.yaml_scripts import HOSTED, cached, scripts

NAME: Final = "buildspec"

_FILE: Final = re.compile(r"(?i)(?:.*/)?(?:[\w.-]*buildspec[\w.-]*|buildspecs?/.*)\.ya?ml")
_PROJECT: Final = Unknown("how many builds run at once is a setting of the CodeBuild project")


def claims(path: PurePosixPath, head: bytes, /) -> bool:
    return _FILE.fullmatch(str(path)) is not None


def find(source: Source, /) -> Found[Run]:
    sheet = Sheet(source, NAME)
    found: list[Script] = []
    others: list[Run] = []
    for document in yamltree.parse(source.text):
        phases = yamltree.at(document, "phases")
        parts = [
            part for _, _, some in scripts(source.text, phases, ("commands", "finally")) for part in some
        ]
        script = Script(tuple(parts), automated=True, serialised=_PROJECT, kept=HOSTED)
        found.append(script)
        others += cached(sheet, document, script, "cache", "paths")
    return sheet.found(found, others)
