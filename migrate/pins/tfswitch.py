"""`.tfswitchrc` and `.tgswitchrc`, a version and nothing else; `.tfswitch.toml`, with a product besides."""

from __future__ import annotations

import re
from pathlib import PurePosixPath
from typing import Final

from migrate.model import Pin, Source
from migrate.plug import Found
from migrate.spelling.choice import Sheet, replaced
from migrate.text import Span
from migrate.versions import Tool

NAME: Final = "tfswitch"
edit: Final = replaced

_NAMES: Final = (".tfswitchrc", ".tgswitchrc", ".tfswitch.toml", ".tgswitch.toml")
_WORD: Final = re.compile(r"(?m)^\ufeff?+[ \t]*([^\s#]+)")
_KEY: Final = re.compile(r"""(?m)^\ufeff?+[ \t]*version[ \t]*=[ \t]*["']([^"'\n]*)["']""")
_TOFU: Final = re.compile(r"""(?m)^[ \t]*product[ \t]*=[ \t]*["']opentofu["']""")


def claims(path: PurePosixPath, head: bytes, /) -> bool:
    return path.name in _NAMES


def find(source: Source, /) -> Found[Pin]:
    """The version, for the directory and below."""
    pattern = _KEY if source.path.suffix == ".toml" else _WORD
    match = pattern.search(source.text)
    if match is None:
        return Found()
    pin = Sheet.of_folder(source, NAME).pin(_tool(source), Span(*match.span(1)))
    return Found((pin,))


def _tool(source: Source) -> Tool:
    if source.path.name.startswith(".tg"):
        return "terragrunt"
    return "opentofu" if _TOFU.search(source.text) else "terraform"
