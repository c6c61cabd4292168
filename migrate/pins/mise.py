"""`mise.toml` by any of its names: the tools of a directory and below, by their name, their registry or a
table of their own.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import Final

from migrate.model import Pin, Source
from migrate.plug import Found
from migrate.spelling.choice import Sheet, replaced
from migrate.spelling.version_names import PACKAGES
from migrate.text import Span
from migrate.versions import Tool

NAME: Final = "mise"
edit: Final = replaced

_FILE: Final = re.compile(
    r"(?:(?P<root>.*)/)??(?:\.config/)?(?:\.?(?:mise|rtx)(?:\.[\w-]+)*"
    r"|\.?(?:mise|rtx)/(?:config(?:\.[\w-]+)*|mise(?:\.[\w-]+)*|conf\.d/[^/]+))\.toml"
)
_SECTION: Final = re.compile(r"""(?m)^\ufeff?+[ \t]*\[([^\[\]\n]+)\]""")
_ENTRY: Final = re.compile(
    r"""(?m)^[ \t]*(?P<tools>tools\.)?(?P<key>"[^"\n]+"|'[^'\n]+'|[\w-]+)[ \t]*=[ \t]*(?P<value>[^\n]*)"""
)
_TEXT: Final = re.compile(r"""(["'])(?P<text>[^"'\n]*)\1""")
_VERSION: Final = re.compile(r"""\bversion[ \t]*=[ \t]*(["'])(?P<text>[^"'\n]*)\1""")


def claims(path: PurePosixPath, head: bytes, /) -> bool:
    return _FILE.fullmatch(str(path)) is not None


def find(source: Source, /) -> Found[Pin]:
    """Every version of an engine: of a list, the first runs and the others are installed beside it."""
    return Found(tuple(_pins(source)))


def _pins(source: Source) -> Iterator[Pin]:
    sheet, text = Sheet(source, NAME, _root(source.path), everywhere=False), source.text
    sections = [("", 0, 0), *((one[1].strip(), *one.span()) for one in _SECTION.finditer(text))]
    ends = [*(start for _, start, _ in sections[1:]), len(text)]
    for (section, _, start), end in zip(sections, ends, strict=True):
        for tool, span in _versions(text, section, Span(start, end)):
            yield sheet.pin(tool, span)


def _versions(text: str, section: str, body: Span) -> Iterator[tuple[Tool, Span]]:
    """Of `[tools]` each entry, of `[tools.terraform]` the version; `tools.terraform` before all of them."""
    for entry in _ENTRY.finditer(text, body.start, body.end):
        if section == "tools" or (not section and entry["tools"]):
            tool = _tool(entry["key"])
            pattern = _VERSION if entry["value"].startswith("{") else _TEXT
        else:
            tool = _tool(section.removeprefix("tools.")) if entry["key"] == "version" else None
            pattern = _TEXT
        for found in pattern.finditer(text, *entry.span("value")) if tool else ():
            if tool:
                yield tool, Span(*found.span("text"))


def _tool(key: str) -> Tool | None:
    """`terraform`, `"aqua:opentofu/opentofu"`, `"asdf:hashicorp/terraform"`."""
    return PACKAGES.get(key.strip("\"'").rpartition(":")[2])


def _root(path: PurePosixPath) -> PurePosixPath:
    """A `.config/mise/config.toml` is of the directory that holds `.config`."""
    found = _FILE.fullmatch(str(path))
    return PurePosixPath((found and found["root"]) or "")
