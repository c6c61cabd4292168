"""A version that is filled in where it is used: what the same file sets its variable to."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import Final

from migrate.model import Pin
from migrate.spelling.choice import Sheet
from migrate.spelling.version_names import tool_of
from migrate.text import Span
from migrate.versions import Tool

FILLED: Final = (
    r"\$\{\{[^}\n]*\}\}|\{\{[^}\n]*\}\}|\$\$?\{[^}\s]*\}|\$\$?\([^)\n]*\)|\$\$?\w+"
    r"|%\w+%|<<[^>\n]*>>|<[^>\s]*>"
)
"""What a shell, make, a runner or a template fills in."""

_NAME: Final = re.compile(r"(?:[$({<%.\s]|\b[\w-]+\.)*(?P<name>\w+)(?::?-(?P<to>v?\d[\w.]*))?")
_SETS: Final = r"""(?<![\w$.{-])NAME\b["']?[ \t]*[?:]?[:=][ \t]*["']?(?:\$\{\w+:?-)?(?P<to>v?\d[\w.-]*)"""
_PASSES: Final = (
    r"""\bNAME\b["']?[ \t]*[?:+]{0,2}[:=](?!=)|\b(?:ARG|ENV|read|for)[ \t]+NAME\b|\bname:[ \t]*["']?NAME\b"""
)
_READS_FILE: Final = re.compile(r"\$\$?\((?:shell\s+)?(?:cat|<)\s")


def chosen(sheet: Sheet, tool: Tool, use: Span, why: str, root: PurePosixPath) -> Iterator[Pin]:
    """The release that the file sets the variable to that is used there; where it does not, or does so more
    than once, Unknown: `why`.

    A variable that is called after its tool is a pin of its own where the file sets it, as is a version file.
    """
    said = use.of(sheet.source.text)
    named = _NAME.match(said)
    name = named["name"] if named else ""
    if named and named["to"]:
        yield sheet.pin(tool, Span(*(use.start + at for at in named.span("to"))), root)
        return
    sets = list(re.finditer(_SETS.replace("NAME", name), sheet.code)) if name else []
    if tool_of(name):
        if not sets and not re.search(_PASSES.replace("NAME", name), sheet.code):
            yield sheet.asked(tool, use, why, root, name)
    elif len(sets) == 1:
        yield sheet.pin(tool, Span(*sets[0].span("to")), root)
    elif not _READS_FILE.match(said):
        yield sheet.unknown(tool, use, why, root)
