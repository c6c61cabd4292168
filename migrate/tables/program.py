"""Programs and scripts that make a lock table: CDK and Pulumi in any language, calls of the API, the CLI."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import Final

from migrate.model import LOCK_KEY, Definition, Fact, Known, Source, Unknown
from migrate.plug import collected
from migrate.spelling.calls import STRING, ended
from migrate.spelling.definitions import Sheet
from migrate.text import Span

NAME: Final = "program"

_PROSE: Final = frozenset({".md", ".mdx", ".rst", ".adoc", ".txt", ".html", ".tf", ".hcl", ".tofu", ".json"})
_CALL: Final = re.compile(
    r"\b(?P<call>(?:new\s+)?(?:\w+[.:]+)*(?:(?:Cfn|Global)?Table(?:V2)?(?:\.Builder\.create)?"
    r"|(?i:(?:create|make|ensure)_?(?:\w*_)?table)\w*))\s*(?=\()"
)
_COMMAND: Final = re.compile(r"\bdynamodb\s+create-table\b(?>(?:[^\n\\]++|\\(?:\r?\n|.)?)*)")
_NAMED: Final = re.compile(
    rf"(?i)\btable_?-?name['\"]?\s*(?:[:=(]|\s)\s*(?:\w+\.\w+\()?(?P<name>{STRING}|[^\s,;)}}]+)"
)
_HOW: Final = "take the call out of the program, then delete the table by hand or by its stack"


def claims(path: PurePosixPath, head: bytes, /) -> bool:
    return path.suffix.lower() not in _PROSE


@collected
def find(source: Source, /) -> Iterator[Definition]:
    """The calls that make a table and name its key."""
    sheet = Sheet(source, NAME)
    for name, span in (*_commands(source.text), *_calls(source.text)):
        if LOCK_KEY in span.of(source.text):
            yield sheet.definition(name, span, _table(span.of(source.text)), _HOW)


def _commands(text: str) -> Iterator[tuple[str, Span]]:
    for command in _COMMAND.finditer(text):
        yield "create-table", Span(*command.span())


def _calls(text: str) -> Iterator[tuple[str, Span]]:
    """What is in a call is a part of it."""
    end = 0
    for call in _CALL.finditer(text):
        if call.start() >= end:
            end = ended(text, call.end(), call["call"])
            yield call["call"].removeprefix("new").strip(), Span(call.start(), end)


def _table(call: str) -> Fact[str]:
    found = _NAMED.search(call)
    if found is None:
        return Unknown("by the program")
    name = found["name"]
    quoted = name[0] in "\"'`"
    bare = re.fullmatch(r"[\w.-]+", name) and "create-table" in call
    plain = not re.search(r"\$|\{|%", name)
    return Known(name.strip("\"'`")) if plain and (quoted or bare) else Unknown(name)
