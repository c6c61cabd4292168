"""A version that is a variable where it is used (`terraform:${TF}`): found where the same file sets that."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Final

from migrate.model import Pin
from migrate.spelling.choice import Sheet
from migrate.spelling.version_names import tool_of
from migrate.text import Span
from migrate.versions import Tool

FILLED: Final = (
    r"\$\{\{[^}\n]*\}\}|\{\{[^}\n]*\}\}|\{\w+\}|\$\$?\{[^}\s]*\}|\$\$?\([^)\n]*\)|\$\$?\w+"
    r"|%\w+%|%\(\w+\)s|%s|<<[^>\n]*>>|<[^>\s]*>"
)
"""A variable, as a shell, make, a runner, a program or a template writes it."""

_NAME: Final = re.compile(r"(?:[$({<%.+\s]|\b[\w-]+\.)*(?P<name>\w+)(?::?-(?P<to>v?\d[\w.]*))?")
_LED: Final = r"(?<![\w$.{-])(?P<name>\w++)[\"']?[ \t]*"
_SET: Final = re.compile(_LED + r"[?:]?[:=][ \t]*[\"']?(?:\$\{\w+:?-)?(?P<to>v?\d[\w.-]*)")
_PASSED: Final = re.compile(
    _LED
    + r"[?:+]{0,2}[:=](?!=)|\b(?:ARG|ENV|read|for)[ \t]+(?P<taken>\w++)|\bname:[ \t]*[\"']?(?P<paired>\w++)"
)
_READS_FILE: Final = re.compile(r"\$\$?\((?:shell\s+)?(?:cat|<)\s")


def chosen(sheet: Sheet, tool: Tool, use: Span, why: str) -> Iterator[Pin]:
    """The pin of a tool whose version is the variable at `use`: its default (`${TF:-1.9.8}`), else the only
    value that the file sets it to, else Unknown because of `why`.

    No pin where another one tells the version: that of a version file which the variable is read from, or of
    the assignment, where the variable is called after a tool (`TF_VERSION`).
    """
    said = use.of(sheet.source.text)
    named = _NAME.match(said)
    name = named["name"] if named else ""
    if named and named["to"]:
        yield sheet.pin(tool, Span(*(use.start + at for at in named.span("to"))))
        return
    sets, passed = _variables(sheet.code)
    if tool_of(name):
        if name not in passed:
            yield sheet.asked(tool, use, why, name)
    elif len(sets.get(name, ())) == 1:
        yield sheet.pin(tool, sets[name][0])
    elif not _READS_FILE.match(said):
        yield sheet.unknown(tool, use, why)


@lru_cache(maxsize=4)  # many uses in a row ask this of one text
def _variables(code: str) -> tuple[Mapping[str, Sequence[Span]], frozenset[str]]:
    """Of each variable where the text sets it to a version; and the names of all that it sets or receives."""
    sets: dict[str, list[Span]] = defaultdict(list)
    for found in _SET.finditer(code):
        sets[found["name"]].append(Span(*found.span("to")))
    passed = (found["name"] or found["taken"] or found["paired"] for found in _PASSED.finditer(code))
    return sets, frozenset(passed)
