"""Calls in programs of any language, by their brackets."""

from __future__ import annotations

import re
from typing import Final

STRING: Final = r'"(?:[^"\\\n]|\\.)*"|\'(?:[^\'\\\n]|\\.)*\'|`(?:[^`\\]|\\.)*`'
_NEXT: Final = re.compile(r"\s*\.\s*\w+\s*(?=\()")
_BRACKETS: Final = re.compile(rf"{STRING}|//[^\n]*|[(){{}}\[\]]")


def _closing(text: str, opened: int) -> int:
    """The offset behind the bracket that closes the one at `opened`; the end of the text where none does."""
    depth = 0
    for match in _BRACKETS.finditer(text, opened):
        bracket = match.group()
        if len(bracket) == 1:
            depth += 1 if bracket in "({[" else -1
        if depth == 0:
            return match.end()
    return len(text)


def ended(text: str, opened: int, call: str) -> int:
    """The offset behind a call whose bracket is at `opened`; of a builder, behind the calls chained to it."""
    end = _closing(text, opened)
    while "Builder" in call and (following := _NEXT.match(text, end)):
        end = _closing(text, following.end())
    return end
