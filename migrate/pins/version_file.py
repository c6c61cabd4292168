"""`.terraform-version` and `.opentofu-version`: the release that a version switcher runs in a directory and
below.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import PurePosixPath
from typing import Final

from migrate.model import Engine, Known, Pin, Source, Unknown
from migrate.plug import Edits, Found, Sources
from migrate.text import Lines, Replace, Span, Syntax

NAME: Final = "version-file"
TOKENS: Final = ()
FILES: Final = (".terraform-version", ".opentofu-version")

_ENGINES: Final[Mapping[str, Engine]] = {".terraform-version": "terraform", ".opentofu-version": "opentofu"}
_VERSION: Final = re.compile(r"(?m)^\ufeff?[ \t]*([^\s#][^\s#]*)")
_RELEASE: Final = re.compile(r"v?\d+\.\d+\.\d+(?:-[\w.]+)?")


def claims(path: PurePosixPath, head: bytes, /) -> bool:
    return path.name in FILES


def find(source: Source, /) -> Found[Pin]:
    """The first word that is no comment. Anything but a release (`latest`, `min-required`) is chosen at run
    time.
    """
    match = _VERSION.search(source.text)
    if match is None:
        return Found()
    text = match.group(1)
    literal = _RELEASE.fullmatch(text)
    pin = Pin(
        repo=source.repo,
        path=source.path,
        plug=NAME,
        kind="exact" if literal else "unknown",
        engine=_ENGINES[source.path.name],
        version=Known(text) if literal else Unknown(f"{source.path.name} says {text}: chosen at run time"),
        span=Span(*match.span(1)),
        line=Lines(source.text).line(match.start(1)),
        root=source.path.parent,
    )
    return Found((pin,))


def edit(sources: Sources, found: Pin, wish: str, /) -> Edits:
    """The release becomes `wish`, with the `v` that it had."""
    version = found.version.value if isinstance(found.version, Known) else ""
    spelled = f"v{wish}" if version.startswith("v") else wish
    return {} if version == spelled else {found.path: (Replace(found.span, spelled, Syntax.PLAIN),)}
