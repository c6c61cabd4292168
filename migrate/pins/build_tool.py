"""Build tools that fetch an engine themselves: Gradle, Maven, MSBuild, Pants, Bazel."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import Final

from migrate.model import Pin, Refusal, Source
from migrate.plug import Edits, Found, Sources
from migrate.spelling.choice import Sheet, checked
from migrate.spelling.version_names import TOOLS, scope, tool_of
from migrate.text import Span
from migrate.versions import Tool

NAME: Final = "build_tool"

_VERSION: Final = r"(?P<version>v?\d+\.\d+(?:\.\d+)?(?:-\w+)?)"
_TEXT: Final = rf"[\"']{_VERSION}[\"']"
_GRADLE: Final = (
    (
        r"\b(?P<tool>terraform|opentofu)\w*[ \t]*\{[^}]{0,400}?\bexecutable(?:ByVersion)?[ \t(]+"
        rf"(?:mapOf\()?(?:[\"']?version[\"']?[ \t]*(?::|to\b)[ \t]*)?{_TEXT}"
    ),
    rf"(?:\.|\[[\"'])(?P<name>\w+Version)(?:[\"']\])?[ \t]*=[ \t]*{_TEXT}",
    rf"\b(?P<name>\w+Version)(?:\.set\(|\(|[ \t]+|[\"'],[ \t]*){_TEXT}",
)
_XML: Final = (rf"<(?P<name>[\w.-]+)>\s*{_VERSION}\s*</",)
_PROPERTIES: Final = (rf"(?m)^[ \t]*(?P<name>[\w-]+\.[\w.-]+)[ \t]*[=:][ \t]*{_VERSION}",)
_PANTS: Final = (rf"(?ms)^\[(?:download-)?(?P<tool>terraform)\](?:(?!^\[).)*?^version[ \t]*=[ \t]*{_TEXT}",)
_BAZEL: Final = (
    rf"\b(?P<tool>tf|terraform|tofu)\w*\.(?:download|toolchain)\([^()]*?(?<!\w)version\s*=\s*{_TEXT}",
    rf"\b(?:register_terraform_toolchains?|terraform_register_toolchains)\(\s*(?:\w*version\s*=\s*)?{_TEXT}",
    rf"\bdownload_(?P<tool>terraform)_versions\(\s*\{{\s*{_TEXT}",
)
_KINDS: Final = tuple(
    (re.compile(name), tuple(map(re.compile, patterns)))
    for name, patterns in (
        (r".*\.gradle(?:\.kts)?", _GRADLE),
        (r"pom\.xml|.*\.(?:props|targets|csproj)", _XML),
        (r".*\.properties", _PROPERTIES),
        (r"pants(?:\.\w+)*\.toml", _PANTS),
        (r"(?:MODULE|WORKSPACE)(?:\.\w+)?|.*\.bzl", _BAZEL),
    )
)
"""What sets a release in which files; what `assignments` finds there is found by it."""

_BRINGS: Final = re.compile(
    r"[\"'](?:org\.ysb33r|pants\.backend\.experimental)\.(?P<tool>terraform|opentofu)(?:\.base)?[\"'](?!.*\bfalse\b)"
)
"""What brings a release of its own where it is told none; of Gradle `apply false` is for projects below."""
_TOFU: Final = re.compile(r"\buse_tofu\s*=\s*True\b")


def claims(path: PurePosixPath, head: bytes, /) -> bool:
    return any(name.fullmatch(path.name) for name, _ in _KINDS)


def find(source: Source, /) -> Found[Pin]:
    """Every release that is set, or the plugin that fetches one nobody set."""
    sheet = Sheet(source, NAME, scope(source.path))
    found = tuple(_set(sheet))
    return Found(found or tuple(_brought(sheet)))


def edit(sources: Sources, found: Pin, wish: str, /) -> Edits | Refusal:
    """Pants fetches only releases whose checksums it knows."""
    if found.path.suffix == ".toml":
        todo = f'set version = "{wish}" and the known_versions of that release'
        return Refusal(found.place, "Pants takes a release with its checksums", todo)
    return checked(sources, found, wish)


def _set(sheet: Sheet) -> Iterator[Pin]:
    patterns = (
        one for name, patterns in _KINDS if name.fullmatch(sheet.source.path.name) for one in patterns
    )
    for match in (match for pattern in patterns for match in pattern.finditer(sheet.code)):
        if tool := _tool(sheet, match.groupdict()):
            yield sheet.pin(tool, Span(*match.span("version")))


def _tool(sheet: Sheet, said: dict[str, str | None]) -> Tool | None:
    if name := said.get("name"):
        return tool_of(name)
    return "opentofu" if _TOFU.search(sheet.code) else TOOLS[said.get("tool") or "terraform"]


def _brought(sheet: Sheet) -> Iterator[Pin]:
    for plugin in _BRINGS.finditer(sheet.code):
        why = f"the {plugin['tool']} plugin brings a release of its own, and is told none"
        yield sheet.unknown(TOOLS[plugin["tool"]], Span(*plugin.span("tool")), why)
