"""Waivers in a file's own comments: `# tfrelock: ignore[rule-id] reason until=2027-01-31`.

A waiver silences findings of one place; it never opens a gate. One without a reason silences nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from msgspec import Struct

_WORDS: Final = re.compile(r"(?P<before>.*?)(?:#|//)\s*tfrelock:\s*ignore\b(?P<rest>.*)")
_FORM: Final = re.compile(r"\[(?P<rules>[\w\s,-]+)\]\s*(?P<because>.*?)\s*(?:\buntil=(?P<until>\S+))?\s*")
_DAY: Final = re.compile(r"\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])")
_COMMENT: Final = re.compile(r"\s*(#|//|$)")


class InlineWaiver(Struct, frozen=True):
    """Findings of some rules in `line`, silenced up to the day `until` (empty: always)."""

    rules: tuple[str, ...]
    line: int
    because: str
    until: str
    written: int
    """The line of the comment itself."""

    def covers(self, rule: str, line: int, today: str) -> bool:
        return rule in self.rules and line == self.line and (not self.until or today <= self.until)


class Flaw(Struct, frozen=True):
    """A comment that means to be a waiver and is none."""

    line: int
    why: str


def waivers(text: str) -> Iterator[InlineWaiver | Flaw]:
    """The waivers of a file; one on a line of its own speaks of the next line that is no comment."""
    if "tfrelock:" not in text:
        return
    lines = text.split("\n")  # as all lines here are counted; `str.splitlines` ends one at a form feed too
    for at, line in enumerate(lines):
        if match := _WORDS.fullmatch(line):
            alone = not match["before"].strip()
            yield _read(match["rest"], at + 1, _next(lines, at) if alone else at + 1)


def _next(lines: Sequence[str], at: int) -> int:
    later = (number for number in range(at + 1, len(lines)) if not _COMMENT.match(lines[number]))
    return next(later, at) + 1


def _read(rest: str, written: int, line: int) -> InlineWaiver | Flaw:
    form = _FORM.fullmatch(rest)
    if not form:
        return Flaw(written, "a waiver names its rule: # tfrelock: ignore[rule-id] reason")
    until = form["until"] or ""
    if not form["because"]:
        return Flaw(written, "a waiver needs a reason: # tfrelock: ignore[rule-id] reason")
    if until and not _DAY.fullmatch(until):
        return Flaw(written, f"a waiver ends on a day, until=YYYY-MM-DD, not {until}")
    rules = tuple(rule.strip() for rule in form["rules"].split(",") if rule.strip())
    return InlineWaiver(rules, line, form["because"], until, written)
