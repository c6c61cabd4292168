"""What the characters between two quotes mean in HCL."""

from __future__ import annotations

import re
from typing import Final

_ESCAPE: Final = re.compile(r"\\(?:u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|(.))|[$%]([$%]\{)", re.DOTALL)
_SHORT: Final = {"n": "\n", "r": "\r", "t": "\t"}


def unescaped(text: str) -> str:
    """The string that is written as `text`: escapes of characters and of template marks resolved."""
    return _ESCAPE.sub(_meant, text) if "\\" in text or "{" in text else text


def _meant(escape: re.Match[str]) -> str:
    code, long_code, short, template = escape.groups()
    if code or long_code:
        number = int(code or long_code, 16)
        return chr(number) if number < 0x110000 else escape[0]
    return str(template) if template else _SHORT.get(short, short)
