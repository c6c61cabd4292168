"""Command lines in files of any kind, and the files that they name."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

# A line that is one flag in a list of YAML (`- -backend-config=x`) or in quotes (`"-input=false",`).
_ITEM: Final = r"""[ \t]*+(?:-[ \t]++["']?|["'])--?\w[^\n]*+"""
_GOES_ON: Final = r"\n(?=[ \t]*+--?backend-config\b)"
COMMAND: Final = re.compile(rf"(?m)^{_ITEM}(?>(?:\n{_ITEM})+)|(?>(?:[^\n\\]++|\\(?:\r?\n|.)?|{_GOES_ON})+)")
"""One command: a line with the lines that continue it, or lines that are flags of one list.

A line that begins with `-backend-config` continues the line above whatever joins the two: a folded scalar of
YAML, the backtick of PowerShell, the caret of a batch file. Possessive throughout, so it is linear in time.
"""

PROSE: Final = frozenset({".md", ".mdx", ".rst", ".adoc", ".txt", ".html"})
"""Suffixes of documentation, whose commands are examples that nothing runs."""

FILLED: Final = re.compile(r"\$\{\{[^}]*\}\}|\$\{[^}]*\}|\$\([^)]*\)|\$\w+|\{\{[^}]*\}\}|<[^>]*>")
_ALONE: Final = re.compile(r"\$[{(]?(\w+)[})]?")
_VARIABLE: Final = re.compile(r"\$\{\{\s*env\.(\w+)\s*\}\}|\$\$?[{(]?(\w+)[})]?")
# An assignment with its value; or one that adds, defaults or loops, which makes the value uncertain.
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
"""A name must have more literal characters: `*.backend` says which files are meant, `*.*` does not."""


def file_named(value: str, text: str) -> str | None:
    """The file that the value of a flag names, with `*` in place of variables; None where too little of the
    name is literal. A value that is a single variable is first replaced by what `text` last assigns to it.
    """
    if len(value) > _LONGEST:
        return None
    named = _ALONE.fullmatch(value)
    if named:
        assigned = re.findall(rf"""(?m)^\s*(?:export\s+)?{named.group(1)}\s*[:?]?=\s*["']?([^\s"']+)""", text)
        value = assigned[-1] if assigned else value
    target = FILLED.sub("*", value)
    literal = target.rpartition("/")[2].replace("*", "")
    return target if "*" not in target or ("." in literal and len(literal) > _ENOUGH) else None


def settled(value: str, text: str) -> str:
    """`value` itself; or, where it is a single variable that `text` sets exactly once, to a literal, that."""
    given = _PLAIN.fullmatch(_assigned(value, text))
    return given[2] if given else value


def spoken(word: str, text: str) -> Sequence[str]:
    """As `settled`, for a variable that holds several words: `ARGS="-input=false -no-color"`."""
    given = _WORDS.fullmatch(_assigned(word, text))
    return (given["quoted"] or given["plain"] or "").split() if given else (word,)


def _assigned(value: str, text: str) -> str:
    """What the only assignment to the variable sets it to; empty where there are more, or none, or `value` is
    no single variable.
    """
    named = _VARIABLE.fullmatch(value)
    found = list(re.finditer(_SET.format(name=named[1] or named[2]), text)) if named else []
    return found[0]["value"] or "" if len(found) == 1 else ""
