"""Command lines in files of any kind, and the files that they name."""

from __future__ import annotations

import re
from typing import Final

COMMAND: Final = re.compile(r"(?:[^\n\\]++|\\(?:\r?\n|.)?)++")
"""A line with those it goes on in. Possessive, so that one long line costs one pass."""

PROSE: Final = frozenset({".md", ".mdx", ".rst", ".adoc", ".txt", ".html"})
"""Endings of documentation, which says how it could be done."""

_FILLED: Final = re.compile(r"\$\{\{[^}]*\}\}|\$\{[^}]*\}|\$\([^)]*\)|\$\w+|\{\{[^}]*\}\}|<[^>]*>")
_ALONE: Final = re.compile(r"\$[{(]?(\w+)[})]?")
_LONGEST: Final = 1000
_ENOUGH: Final = 3
"""So many signs of a name must stand there: `*.backend` says which files are meant, `*.*` does not."""


def file_named(value: str, text: str) -> str | None:
    """The file a value names, with `*` for what is filled in; None where too little of its name is left.

    A value that is one variable is what `text` last assigns to it.
    """
    if len(value) > _LONGEST:
        return None
    named = _ALONE.fullmatch(value)
    if named:
        assigned = re.findall(rf"""(?m)^\s*(?:export\s+)?{named.group(1)}\s*[:?]?=\s*["']?([^\s"']+)""", text)
        value = assigned[-1] if assigned else value
    target = _FILLED.sub("*", value)
    literal = target.rpartition("/")[2].replace("*", "")
    return target if "*" not in target or ("." in literal and len(literal) > _ENOUGH) else None
