"""Makefiles and justfiles: each line of a recipe is a shell of its own, in the directory of the file.

A file of another name is included by one of those, and runs where that does. All lines are one shell where
the file has `.ONESHELL`, and in a recipe of just that names its program (`#!`).
"""

from __future__ import annotations

import re
from pathlib import PurePosixPath
from typing import Final

from migrate.model import Fact, Known, Run, Source, Unknown
from migrate.plug import Found
from migrate.spelling.places import ELSEWHERE, below
from migrate.spelling.runs import Part, Script, Sheet
from migrate.text import Span

NAME: Final = "makefile"

_NAME: Final = re.compile(r"(?i)(?:gnu)?makefile(?:[.-].*)?|.*\.(?:mk|mak|make|just)|\.?justfile")
_STARTED: Final = re.compile(r"(?i)(?:gnu)?makefile|\.?justfile")
_INCLUDED: Final = Unknown("it runs in the directory of what includes it")
_TARGET: Final = re.compile(
    r"[^\s#:=][^:=\n]*:(?!=)"
    r"|@?[\w-]++(?>(?:[ \t]++[+*$]?\w++(?:=(?>\"[^\"\n]*\"|'[^'\n]*'|[^\s:]+))?)+)[ \t]*+:(?=\s|\Z)"
)
"""A rule of make, or a recipe of just, whose arguments may have defaults."""
# A line with those it goes on in: of a recipe, or behind the `;` of a rule, or the ends of a `define`.
_LINE: Final = re.compile(
    r"(?m)^(?:(?=\ufeff?(?P<define>define|endef)\b)|(?P<recipe>[ \t]+)"
    r"|(?P<rule>[^\s#:=;][^:=;\n]*::?[^=;#\n]*;))?(?>(?:[^\n\\]++|\\(?:\r?\n|.)?)+)"
)
_CALLED: Final = re.compile(r"\$\(shell ")
_ONE_SHELL: Final = re.compile(r"(?m)^\.ONESHELL:")
_WITHIN: Final = re.compile(r"""(?m)^set[ \t]+working-directory[ \t]*:=[ \t]*["'](?P<to>[^"'\n]+)""")
_ATTRIBUTE: Final = re.compile(
    r"""\[[^\]\n]*?\b(?:working-directory[ \t]*[:(][ \t]*["'](?P<to>[^"'\n]+)|no-cd\b)"""
)
"""What just is told of a recipe's directory, on a line before it."""


def claims(path: PurePosixPath, head: bytes, /) -> bool:
    return _NAME.fullmatch(path.name) is not None


def find(source: Source, /) -> Found[Run]:
    """What make asks a shell for in the value of a variable runs, too; so do the lines of a `define`."""
    every = _WITHIN.search(source.text)
    started = _STARTED.fullmatch(source.path.name)
    home: Fact[PurePosixPath] = Known(source.path.parent) if started else _INCLUDED
    home = below(home, every["to"]) if every else home
    where, next_where, target, defining = home, home, "", False
    whole = bool(_ONE_SHELL.search(source.text))
    one, shells = whole, list[tuple[str, Fact[PurePosixPath], list[Part]]]()
    for line in _LINE.finditer(source.text):
        defining = line["define"] == "define" if line["define"] else defining
        named = _TARGET.match(line[0])
        if told := _ATTRIBUTE.match(line[0]):
            next_where = below(home, told["to"]) if told["to"] else ELSEWHERE
        elif named and not (line["recipe"] or defining):
            target, one = named[0].rstrip(":").strip(), whole
            where, next_where = next_where, home
        if line["recipe"] or line["rule"] or defining or _CALLED.search(line[0]):
            part = Part(Span(line.end("rule") if line["rule"] else line.start(), line.end()))
            one = one or line[0].lstrip().startswith("#!")
            if one and line["recipe"] and shells and shells[-1][0] == target:
                shells[-1][2].append(part)
            else:
                shells.append((target, where, [part]))
    found = (Script(tuple(parts), directory, job) for job, directory, parts in shells)
    return Sheet(source, NAME).found(found)
