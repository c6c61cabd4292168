"""Command lines in files of any kind, and the files that they name."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

_ITEM: Final = r"""[ \t]*+(?:-[ \t]++["']?|["'])--?\w[^\n]*+"""
_GOES_ON: Final = r"\n(?=[ \t]*+--?backend-config\b)"
COMMAND: Final = re.compile(rf"(?m)^{_ITEM}(?>(?:\n{_ITEM})+)|(?>(?:[^\n\\]++|\\(?:\r?\n|.)?|{_GOES_ON})+)")
"""A line with those it goes on in, or lines that are flags of one list. Possessive: one pass will do.

A line that begins with the flag is no command of its own, whatever joins it to the one above: a folded text
of YAML, the backtick of PowerShell, the caret of a batch file.
"""

PROSE: Final = frozenset({".md", ".mdx", ".rst", ".adoc", ".txt", ".html"})
"""Endings of documentation, which says how it could be done."""

_FILLED: Final = re.compile(r"\$\{\{[^}]*\}\}|\$\{[^}]*\}|\$\([^)]*\)|\$\w+|\{\{[^}]*\}\}|<[^>]*>")
_ALONE: Final = re.compile(r"\$[{(]?(\w+)[})]?")
_VARIABLE: Final = re.compile(r"\$\{\{\s*env\.(\w+)\s*\}\}|\$\$?[{(]?(\w+)[})]?")
_SET: Final = (
    r"\b{name}[\"']?[ \t]*(?:=|::?=|:[ \t])[ \t]*(?P<value>[^\r\n]*)"
    r"|\b{name}[ \t]*[?+!]=|\b(?:for|read)\b[^\n]*\b{name}\b"
)
_PLAIN: Final = re.compile(r"""(["']?)([\w./-]+)\1[ \t]*(?:#.*|;.*|&&.*)?""")
_WORDS: Final = re.compile(
    r"""(?P<quote>["'])(?P<quoted>[^"'$`\\{}]*)(?P=quote)[ \t]*(?:#.*|;.*|&&.*)?"""
    r"""|(?P<plain>-[\w./=,:-]+(?:[ \t]+-[\w./=,:-]+)*)[ \t]*"""
)
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


def settled(value: str, text: str) -> str:
    """A value that is one variable, as what `text` sets that to where it does so once, with a literal."""
    given = _PLAIN.fullmatch(_assigned(value, text))
    return given[2] if given else value


def spoken(word: str, text: str) -> Sequence[str]:
    """The words that a variable stands for, as `settled` tells its value; else the word itself."""
    given = _WORDS.fullmatch(_assigned(word, text))
    return (given["quoted"] or given["plain"] or "").split() if given else (word,)


def _assigned(value: str, text: str) -> str:
    """What stands behind the only assignment to the variable that a value is; empty where that is not one."""
    named = _VARIABLE.fullmatch(value)
    found = list(re.finditer(_SET.format(name=named[1] or named[2]), text)) if named else []
    return found[0]["value"] or "" if len(found) == 1 else ""
