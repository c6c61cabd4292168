"""Texts of template engines: Jinja, Go templates, ERB, Terraform's `templatefile` and shell variables.

The marks of an engine are painted over with characters of no meaning, so that what is between them can be
read by its own grammar, with every place where it was; and of every place it is known in which arms of the
engine's statements it stands.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from typing import Final, Literal, TypeAlias

from msgspec import Struct

from migrate.text import Span

Kind: TypeAlias = Literal["opens", "parts", "closes", "brings", "value", "note"]
"""A statement that opens, parts or closes arms or brings another text, a value, or none of these."""

_OPENING: Final = re.compile(r"\$\{\{|\{[%{#]|<%|(?<!%)%\{|(?<!\$)\$\{")
_CLOSING: Final = {"{%": "%}", "{{": "}}", "${{": "}}", "{#": "#}", "<%": "%>", "%{": "}", "${": "}"}
_CONTROLS: Final = frozenset({"{%", "<%", "%{", "{{"})
_SHELL: Final = re.compile(r"[^{}\"\n]*\}")
_WORD: Final = re.compile(r"[%{<][%{][-~+=]?\s*(?P<leads>[#^/]?)\s*(?P<word>\w*)")
_DO: Final = re.compile(r"\bdo(?:\s*\|[^|]*\|)?\s*-?%>\Z")
_OPENS: Final = frozenset(
    {"if", "unless", "for", "range", "with", "block", "define", "filter", "call", "macro", "while", "case"}
)
_PARTS: Final = frozenset({"else", "elif", "elsif", "elseif", "when"})
_CLOSES: Final = re.compile(r"end\w*")
_COMMENT: Final = re.compile(r"\{#|<%#|\{\{-?\s*/\*|\{\{!")
_BLANK_LINE: Final = re.compile(r"^[ \t\r]*$", re.MULTILINE)
_VISIBLE: Final = re.compile(r"[^\r\n]")


class Mark(Struct, frozen=True):
    """One mark of a template engine."""

    kind: Kind
    span: Span


class Arm(Struct, frozen=True, eq=False):
    """The `number`th branch of the statement of the engine at `opened`, itself in the branch `outer`."""

    outer: Arm | None
    opened: int
    number: int


class Template:
    """One text; `shown` is the same in length and lines, without its marks.

    A mark inside of a line is shown as a word, so that `a = {{ b }}` is an argument still; `inserts` are the
    values and statements with a line of their own that may bring anything.
    """

    def __init__(self, text: str) -> None:
        self.marks = tuple(marks(text))
        bare = _painted(text, self.marks, " ")
        blank = [found.start() for found in _BLANK_LINE.finditer(bare)]
        alone = {mark for mark in self.marks if _has_line(bare, blank, mark)}
        self.shown = _painted(bare, [m for m in self.marks if m.kind == "value" and m not in alone], "x")
        bringing = (m for m in self.marks if m.kind == "brings" or (m.kind == "value" and m in alone))
        self.inserts = tuple(mark.span for mark in bringing)
        self._starts, self._arms = _arms(self.marks)

    def arms(self, at: int, within: int) -> tuple[Arm, ...]:
        """The branches around the offset `at` that are not around `within`, the innermost first."""
        found, base = tuple(_outward(self._arm(at))), self._arm(within)
        if base is None or base not in found:  # it has ended between the two
            return (*found, base) if base else found
        return found[: found.index(base)]

    def _arm(self, at: int) -> Arm | None:
        index = bisect_right(self._starts, at)
        return self._arms[index - 1] if index else None


def _outward(arm: Arm | None) -> Iterator[Arm]:
    while arm:
        yield arm
        arm = arm.outer


def apart(one: tuple[Arm, ...], other: tuple[Arm, ...]) -> bool:
    """Whether two places stand in different arms of one statement, so that never both are written."""
    numbers = {arm.opened: arm.number for arm in one}
    return any(numbers.get(arm.opened, arm.number) != arm.number for arm in other)


def marks(text: str) -> Iterator[Mark]:
    """The marks in order. One that never ends is none, nor is any later one of its kind."""
    at, endless = 0, set[str]()
    while found := _OPENING.search(text, at):
        sign = found.group()
        end = -1 if sign in endless else _end(text, sign, found.end())
        if end < 0 and sign != "${":
            endless.add(sign)
        at = found.end() if end < 0 else end
        if end >= 0:
            yield Mark(_kind(sign, text[found.start() : end]), Span(found.start(), end))


def _end(text: str, sign: str, start: int) -> int:
    """Behind the mark that opens before `start`. A shell variable or reference ends on its line."""
    if sign == "${":
        found = _SHELL.match(text, start)
        return found.end() if found else -1
    closing = _CLOSING[sign]
    end = text.find(closing, start)
    return end + len(closing) if end >= 0 else -1


def _kind(sign: str, mark: str) -> Kind:
    if _COMMENT.match(mark):
        return "note"
    found = _WORD.match(mark) if sign in _CONTROLS else None
    leads, word = found.group("leads", "word") if found else ("", "")
    if word in _PARTS:
        return "parts"
    if leads == "/" or _CLOSES.fullmatch(word):
        return "closes"
    if word in _OPENS or leads in ("#", "^") or _DO.search(mark):
        return "opens"
    if sign in ("{{", "${{", "${") or mark.startswith("<%="):
        return "value"
    return "brings" if word == "include" else "note"


def _has_line(bare: str, blank: list[int], mark: Mark) -> bool:
    """Whether marks are all that is on the line of this one."""
    index = bisect_right(blank, mark.span.start)
    return bool(index) and bare.find("\n", blank[index - 1], mark.span.start) < 0


def _painted(text: str, over: tuple[Mark, ...] | list[Mark], sign: str) -> str:
    parts, at = [], 0
    for mark in over:
        parts += [text[at : mark.span.start], _VISIBLE.sub(sign, mark.span.of(text))]
        at = mark.span.end
    return "".join((*parts, text[at:]))


def _arms(found: tuple[Mark, ...]) -> tuple[list[int], list[Arm | None]]:
    """Where another arm begins, and which; an `end` of nothing ends nothing."""
    starts, arms, arm = list[int](), list[Arm | None](), None
    for mark in found:
        match mark.kind:
            case "opens":
                arm = Arm(arm, mark.span.start, 0)
            case "parts" if arm:
                arm = Arm(arm.outer, arm.opened, arm.number + 1)
            case "closes" if arm:
                arm = arm.outer
            case _:
                continue
        starts.append(mark.span.end)
        arms.append(arm)
    return starts, arms
