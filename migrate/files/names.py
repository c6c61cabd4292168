"""Names of files: which folders are never entered, and how a name is shown."""

from pathlib import PurePath
from typing import Final

SKIPPED: Final = frozenset({".terraform", ".terragrunt-cache", "node_modules"})
"""Folders of downloaded copies: what stands in them is somebody else's source, or generated."""


def printable(path: PurePath | str) -> str:
    r"""`path` for people: terminal escapes, line ends, bidi marks and bytes that are not UTF-8 as `\x1b`."""
    text = str(path)
    return text if text.isprintable() else "".join(map(_shown, text))


def _shown(character: str) -> str:
    if character.isprintable():
        return character
    code = ord(character)
    if 0xDC80 <= code <= 0xDCFF:  # a byte that `os.fsdecode` could not decode
        return f"\\x{code - 0xDC00:02x}"
    return f"\\x{code:02x}" if code <= 0xFF else f"\\u{code:04x}" if code <= 0xFFFF else f"\\U{code:08x}"
