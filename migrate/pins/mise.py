"""`mise.toml` by any of its names: the tools of a directory and below, by their name, their registry or a
table of their own; and those of a task, which may be a script.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import Final

from migrate.model import Pin, Source
from migrate.plug import collected
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
_TASK: Final = re.compile(r"tasks\.(?:\"[^\"]*\"|[\w:-]+)\.?")
_OF_TASK: Final = re.compile(
    r"(?m)(?P<script>^\ufeff?+(?:#|//)[ \t]*\[?MISE\]?[ \t]+)?(?<![\w.#-])tools[ \t]*=[ \t]*"
    r"\{(?P<tools>(?:[^{}\n]|\{[^{}\n]*\})*)\}"
)
_INLINE: Final = re.compile(
    r"""(?P<key>"[^"\n]+"|'[^'\n]+'|[\w-]+)[ \t]*=[ \t]*(?P<value>\{[^{}]*\}|\[[^\]]*\]|"[^"]*"|'[^']*')"""
)


def claims(path: PurePosixPath, head: bytes, /) -> bool:
    return _FILE.fullmatch(str(path)) is not None or b"MISE" in head  # of a script that is a task


@collected
def find(source: Source, /) -> Iterator[Pin]:
    """Every version of an engine: of a list, the first runs and the others are installed beside it.

    A `.config/mise/config.toml` is of the directory that holds `.config`.
    """
    file = _FILE.fullmatch(str(source.path))
    sheet = Sheet(source, NAME, PurePosixPath((file and file["root"]) or ""), everywhere=file is None)
    tables = _of_tables(source.text) if file else ()
    tasks = _of_tasks(sheet.code if file else source.text, script=not file)
    for tool, span in (*tables, *tasks):
        yield sheet.pin(tool, span)


def _of_tables(text: str) -> Iterator[tuple[Tool, Span]]:
    sections = [("", 0, 0), *((one[1].strip(), *one.span()) for one in _SECTION.finditer(text))]
    ends = [*(start for _, start, _ in sections[1:]), len(text)]
    for (section, _, start), end in zip(sections, ends, strict=True):
        of_task = _TASK.match(section)
        yield from _versions(text, section[of_task.end() :] if of_task else section, Span(start, end))


def _of_tasks(text: str, *, script: bool) -> Iterator[tuple[Tool, Span]]:
    """Those of one line: `tools = { terraform = "1.9.8" }`, of a script behind `#MISE`."""
    for task in _OF_TASK.finditer(text):
        if bool(task["script"]) == script:
            for entry in _INLINE.finditer(text, *task.span("tools")):
                yield from _of_entry(text, entry, _tool(entry["key"]))


def _versions(text: str, section: str, body: Span) -> Iterator[tuple[Tool, Span]]:
    """Of `[tools]` each entry, of `[tools.terraform]` the version; `tools.terraform` before all of them."""
    for entry in _ENTRY.finditer(text, body.start, body.end):
        if section == "tools" or (not section and entry["tools"]):
            yield from _of_entry(text, entry, _tool(entry["key"]))
        elif entry["key"] == "version":
            yield from _of_entry(text, entry, _tool(section.removeprefix("tools.")))


def _of_entry(text: str, entry: re.Match[str], tool: Tool | None) -> Iterator[tuple[Tool, Span]]:
    pattern = _VERSION if entry["value"].startswith("{") else _TEXT
    if tool:
        for found in pattern.finditer(text, *entry.span("value")):
            yield tool, Span(*found.span("text"))


def _tool(key: str) -> Tool | None:
    """`terraform`, `"aqua:opentofu/opentofu"`, `"asdf:hashicorp/terraform"`."""
    return PACKAGES.get(key.strip("\"'").rpartition(":")[2])
