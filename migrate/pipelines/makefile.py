"""Makefiles and justfiles: each line of a recipe is a shell of its own, in the directory of the file."""

from __future__ import annotations

import re
from pathlib import PurePosixPath
from typing import Final

from migrate.model import Known, Run, Source
from migrate.plug import Found
from migrate.spelling.runs import Part, Script, Sheet
from migrate.text import Span

NAME: Final = "makefile"

_NAME: Final = re.compile(r"(?i)(?:gnu)?makefile(?:[.-].*)?|.*\.(?:mk|mak|make|just)|\.?justfile")
_TARGET: Final = re.compile(r"[^\s#:=][^:=\n]*:(?!=)")
_LINE: Final = re.compile(
    r"(?m)^(?:(?=\ufeff?(?P<define>define|endef)\b)|(?P<recipe>[ \t]+)"
    r"|(?P<rule>[^\s#:=;][^:=;\n]*::?[^=;#\n]*;))?(?>(?:[^\n\\]++|\\(?:\r?\n|.)?)+)"
)
_CALLED: Final = re.compile(r"\$\(shell ")


def claims(path: PurePosixPath, head: bytes, /) -> bool:
    return _NAME.fullmatch(path.name) is not None


def find(source: Source, /) -> Found[Run]:
    """What make asks a shell for in the value of a variable runs, too; so do the lines of a `define`."""
    scripts, target, defining = [], "", False
    for line in _LINE.finditer(source.text):
        defining = line["define"] == "define" if line["define"] else defining
        named = _TARGET.match(line[0])
        if named and not (line["recipe"] or defining):
            target = named[0].rstrip(":").strip()
        if line["recipe"] or line["rule"] or defining or _CALLED.search(line[0]):
            span = Span(line.end("rule") if line["rule"] else line.start(), line.end())
            scripts.append(Script((Part(span),), Known(source.path.parent), target))
    return Sheet(source, NAME).found(scripts)
