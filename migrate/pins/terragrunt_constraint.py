"""`terraform_version_constraint` and `terragrunt_version_constraint`: what Terragrunt itself enforces.

The first is held against whichever engine it runs, in the language of `required_version`.
"""

from __future__ import annotations

import re
from pathlib import PurePosixPath
from typing import Final

from migrate import hcl
from migrate.model import Fact, Known, Pin, Source, Unknown
from migrate.plug import Edits, Found
from migrate.spelling.choice import Sheet, replaced
from migrate.text import InsertAfter, Span, Syntax
from migrate.versions import Tool

NAME: Final = "terragrunt_constraint"
edit: Final = replaced
ARGUMENT: Final = "terraform_version_constraint"

_ARGUMENT: Final = re.compile(
    r"(?m)^\ufeff?+[ \t]*(?P<name>terraform|terragrunt)_version_constraint[ \t]*=[ \t]*"
    r'(?:"(?P<text>[^"\n$%]*)"|(?P<other>[^\r\n]+))'
)


def claims(path: PurePosixPath, head: bytes, /) -> bool:
    return path.suffix == ".hcl" and path.name != ".terraform.lock.hcl"


def find(source: Source, /) -> Found[Pin]:
    """Both of them; an expression is Unknown with its text."""
    sheet = Sheet.of_folder(source, NAME)
    return Found(tuple(_pin(sheet, match) for match in _ARGUMENT.finditer(source.text)))


def insert(source: Source, block: Span, constraint: str) -> Edits:
    """`terraform_version_constraint` after the block around `block`, a blank line between: what follows keeps
    its comment.
    """
    outer = next((b for b in hcl.parse(source.text).blocks if b.span.contains(block)), None)
    if outer is None:
        return {}
    lines = ("", f'{ARGUMENT} = "{constraint}"')
    return {source.path: (InsertAfter(outer.span, lines, Syntax.HCL),)}


def _pin(sheet: Sheet, match: re.Match[str]) -> Pin:
    version: Fact[str] = Unknown(match["other"]) if match["text"] is None else Known(match["text"])
    span = Span(*match.span("other" if match["text"] is None else "text"))
    engine: Tool | None = "terragrunt" if match["name"] == "terragrunt" else None
    return sheet.constraint(version, span, engine, match.start("name"))
