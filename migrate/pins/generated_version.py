"""`required_version` in the code that a `generate` block of Terragrunt writes: the engine enforces it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import Final

from migrate import hcl
from migrate.model import Fact, Known, Pin, Source, Unknown
from migrate.plug import Found
from migrate.spelling.choice import Sheet, replaced
from migrate.text import Span

NAME: Final = "generated_version"
edit: Final = replaced

_ARGUMENT: Final = re.compile(
    r"(?:^|\\n)[ \t]*(?:terraform[ \t]*\{(?:\\n|[ \t])*)?(?P<name>required_version)[ \t]*=[ \t]*"
    r"(?:\\?\"(?P<text>[^\"\\\n$%]*)\\?\"|(?P<other>[^\r\n#]*[^\s#]))",
    re.MULTILINE,
)


def claims(path: PurePosixPath, head: bytes, /) -> bool:
    return path.suffix == ".hcl" and path.name != ".terraform.lock.hcl"


def find(source: Source, /) -> Found[Pin]:
    """Those of heredocs and of strings, as blocks and as a map of them; what is filled in is Unknown."""
    sheet = Sheet.of_folder(source, NAME)
    found = (one for part in _generated(source.text) for one in _ARGUMENT.finditer(source.text, *part))
    return Found(tuple(_pin(sheet, one) for one in found))


def _generated(text: str) -> Iterator[tuple[int, int]]:
    for item in hcl.parse(text).items:
        if (item.type if isinstance(item, hcl.Block) else item.name) == "generate":
            yield item.span.start, item.span.end


def _pin(sheet: Sheet, match: re.Match[str]) -> Pin:
    version: Fact[str] = Unknown(match["other"]) if match["text"] is None else Known(match["text"])
    span = Span(*match.span("other" if match["text"] is None else "text"))
    return sheet.constraint(version, span, None, match.start("name"))
