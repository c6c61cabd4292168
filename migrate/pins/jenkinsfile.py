"""Jenkins: a tool by its name. The controller's settings say which release that is."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import Final

from migrate.model import Pin, Source, Suggestion
from migrate.plug import Sources, collected
from migrate.spelling.choice import Sheet
from migrate.text import Span
from migrate.versions import Tool

NAME: Final = "jenkinsfile"

_TOOL: Final = re.compile(
    r"(?m)^(?![ \t]*//).*?"
    r"(?:\btool\b[\s(]*(?:name[ \t]*:[ \t]*)?|\bterraform[ \t]+|TerraformInstallation[\"'][ \t]+)"
    r"[\"'](?P<name>(?i:terraform|opentofu|tofu|tf(?![a-z]))[\w. -]*)[\"']"
)


def claims(path: PurePosixPath, head: bytes, /) -> bool:
    return "jenkinsfile" in path.name.lower() or path.suffix in (".groovy", ".jenkinsfile")


@collected
def find(source: Source, /) -> Iterator[Pin]:
    """`tool 'terraform-1.9'`, and what stands in `tools { … }`."""
    sheet = Sheet(source, NAME)
    for tool in _TOOL.finditer(source.text):
        engine: Tool = "opentofu" if "tofu" in tool["name"].lower() else "terraform"
        why = f"which release the tool {tool['name']} is, the Jenkins controller says"
        yield sheet.unknown(engine, Span(*tool.span("name")), why)


def edit(sources: Sources, found: Pin, wish: str, /) -> Suggestion:
    return Suggestion(found.place, f"a tool with {wish}", "the release is that of a tool of the controller")
