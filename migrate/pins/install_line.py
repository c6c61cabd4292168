"""Commands that install an engine: downloads, version switchers, package managers, in any script."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import Final

from migrate.model import Pin, Source
from migrate.plug import Edits, Found, Sources
from migrate.spelling.choice import Sheet, replaced
from migrate.spelling.version_names import TOOLS, is_script, scope
from migrate.text import Span

NAME: Final = "install_line"

_VERSION: Final = r"(?P<version>v?\d+(?:\.\d+)+(?:-(?:rc|beta|alpha)[\d.]*)?|latest)(?![A-Za-z0-9])"
_INSTALLS: Final = [
    re.compile(pattern)
    for pattern in (
        rf"releases\.hashicorp\.com/(?P<tool>terraform)/{_VERSION}/",
        rf"github\.com/[\w-]+/(?P<tool>opentofu|terragrunt)/releases/download/{_VERSION}/",
        rf"/(?P<tool>terraform|tofu)_{_VERSION}_(?=linux|darwin|windows|\$)",
        rf"\b(?P<tool>tf|tofu|tg)env[ \t]+(?:install|use)[ \t]+[\"']?{_VERSION}",
        rf"\b(?P<tool>tf)switch[ \t]+[\"']?{_VERSION}",
        rf"\basdf[ \t]+\w+[ \t]+(?P<tool>terraform|opentofu|terragrunt)[ \t]+{_VERSION}",
        rf"(?<![\w/.-])(?:\w+:)?(?:hashicorp/|opentofu/)?(?P<tool>terraform|opentofu|terragrunt)@{_VERSION}",
        rf"\binstall\b[^\n]*?[ \t](?P<tool>terraform|tofu|terragrunt)(?:=|-|[ \t]+--version[= \t]){_VERSION}",
    )
]

_PACKAGES: Final = r"(?:apt|apt-get|yum|dnf|brew|choco)\b[^\n;&|#]*?[ \t]install|apk\b[^\n;&|#]*?[ \t]add"
_NEWEST: Final = re.compile(
    rf"(?m)^(?![ \t]*(?:#|//|echo\b)).*?\b(?:{_PACKAGES})\b[^\n;&|#]*?[ \t](?:[\w-]+/tap/)?"
    r"(?P<tool>terraform|tofu|opentofu|terragrunt)(?=[\s;&|)\\\"']|\Z)(?![ \t]+--version)"
)


def claims(path: PurePosixPath, head: bytes, /) -> bool:
    return is_script(path) or "ockerfile" in path.name


def find(source: Source, /) -> Found[Pin]:
    """One pin for each place; of a download the release stands twice, in the folder and in the name.

    A package manager that is told no version takes the newest it knows.
    """
    return Found(tuple(_pins(source)))


def edit(sources: Sources, found: Pin, wish: str, /) -> Edits:
    return replaced(found, wish)


def _pins(source: Source) -> Iterator[Pin]:
    sheet, root = Sheet(source, NAME), scope(source.path)
    found = {
        Span(*match.span("version")): TOOLS[match["tool"]]
        for pattern in _INSTALLS
        for match in pattern.finditer(source.text)
    }
    for span, tool in sorted(found.items()):
        yield sheet.pin(tool, span, root)
    for match in _NEWEST.finditer(source.text):
        why = "the package manager installs the newest release it knows"
        yield sheet.unknown(TOOLS[match["tool"]], Span(*match.span("tool")), why, root)
