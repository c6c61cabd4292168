"""Where the blocks of a file's top level begin and end, found without a grammar.

Most files of a big tree are not worth a parser. One pass over quotes, comments, heredocs and braces finds the
blocks; only those that are asked for are parsed.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from functools import cache
from typing import Final

from msgspec import Struct

from migrate.text import Span

_DEEPEST: Final = 200
"""A text nested deeper is an attack or a dump: no parser's time is well spent on it."""

# What is passed over in one step, as a whole: a search that gave characters back would be quadratic.
_CALM: Final = r"""[^"{}\#/<]++|"(?>(?:[^"\\$%\r\n]++|\\[^\r\n]|[$%](?![{$%]))*)"|\#[^\n]*+|//[^\n]*+
    |/\*(?>(?:[^*]++|\*(?!/))*)\*/|/(?![/*])|<(?!<)"""
_LEAF: Final = rf"\{{(?>(?:{_CALM})*)\}}"
_NEST: Final = rf"\{{(?>(?:{_CALM}|{_LEAF})*)\}}"
_STOP: Final = r"""(?:(?P<open>\{)|(?P<close>\})|(?P<heredoc><<-?(?P<marker>[^\W\d][\w-]*)\r?\n)
    |(?P<quote>")|(?P<endless>/\*)|(?P<operator><))"""
_INNER: Final = re.compile(rf"(?>(?:{_CALM}|{_NEST})*){_STOP}", re.VERBOSE)
_REST_OF_STRING: Final = re.compile(r'(?:[^"\\$%\r\n]|\\[^\r\n]|\$\$\{|%%\{|[$%](?!\{))*(?P<stop>"|[$%]\{|)')
_BLANK = r"(?:[ \t]|/\*(?:[^*]|\*(?!/))*\*/)"
_LABEL = rf'(?:{_BLANK}*"(?:[^"\\]|\\.)*"|{_BLANK}+[^\W\d][\w-]*)'
_HEADER: Final = re.compile(rf"(?:.*[;/])?[ \t\ufeff]*(?P<type>[^\W\d][\w-]*){_LABEL}*{_BLANK}*")
_MARKED: Final = r"\{(?:[%{]|\#[^\n]*\#\})"  # how braces of Jinja and its like go on
_TEMPLATE: Final = re.compile(_MARKED)


_USUAL: Final = frozenset({"data", "module", "terraform"})
"""What most files are asked for: one pattern for all of these is compiled once."""


@cache
def _top(types: Collection[str]) -> re.Pattern[str]:
    """As `_INNER`, for the top level: simple blocks of other types than these are passed over whole."""
    wanted = "|".join(sorted(types))
    header = rf"^[ \t]*+(?!(?:{wanted})\b)[^\W\d][\w-]*+(?>{_LABEL}*)(?>{_BLANK}*)"
    other = rf"{header}(?!{_MARKED}){_NEST}"
    calm = _CALM.replace('[^"{}', r'\n|[^\n"{}', 1)
    return re.compile(rf"(?>(?:{other}|{calm})*){_STOP}", re.VERBOSE | re.MULTILINE)


class Piece(Struct, frozen=True):
    """One block of the top level: its type, and the characters from there to its `}`."""

    type: str
    span: Span


class Cut(Struct, frozen=True):
    """The blocks of the top level in order; `broken` is the first place that is no HCL, if any.

    After a quote, comment, heredoc or brace that never ends nothing is looked for; braces of a template
    engine are passed over.
    """

    pieces: tuple[Piece, ...]
    broken: int | None


def cut(text: str, types: frozenset[str], upto: int | None = None) -> Cut:
    """The blocks of the top level of these types, all or up to the one that holds the place `upto`.

    Blocks of other types may be left out.
    """
    top = _top(types if types - _USUAL else _USUAL)
    return _Pass(text, top).run(len(text) if upto is None else upto)


class _Pass:
    """`_open`: the braces and interpolations around `_at`; `_last`: the end of the last top-level braces."""

    def __init__(self, text: str, top: re.Pattern[str]) -> None:
        self._text = text
        self._top = top
        self._at = self._begin = self._last = 0
        self._open: list[str] = []
        self._pieces: list[Piece] = []
        self._broken: int | None = None

    def run(self, upto: int) -> Cut:
        while self._last <= upto and (found := self._next()):
            self._at = found.end()
            if not self._takes(found):
                return Cut(tuple(self._pieces), found.start(found.lastgroup or 0))
        return Cut(tuple(self._pieces), self._begin if self._open else self._broken)

    def _next(self) -> re.Match[str] | None:
        return (_INNER if self._open else self._top).match(self._text, self._at)

    def _takes(self, found: re.Match[str]) -> bool:
        match found.lastgroup:
            case "open":
                return self._opens(found.start("open"))
            case "close":
                return self._closes()
            case "quote":
                return self._ends_string()
            case "heredoc":
                return self._ends_heredoc(found["marker"])
            case "endless":
                return False
            case _:
                return True

    def _opens(self, at: int) -> bool:
        if not self._open:
            self._begin = at
        self._open.append("{")
        return len(self._open) <= _DEEPEST

    def _closes(self) -> bool:
        if not self._open:
            return False
        if self._open.pop() != "{":
            return self._ends_string()
        if not self._open:
            self._add_piece()
        return True

    def _add_piece(self) -> None:
        line = max(self._last, self._text.rfind("\n", self._last, self._begin) + 1)
        header = _HEADER.fullmatch(self._text, line, self._begin)
        if header:
            self._pieces.append(Piece(header["type"], Span(header.start("type"), self._at)))
        is_value = self._text.find("=", self._last, self._begin) >= 0
        if _TEMPLATE.match(self._text, self._begin) or not (header or is_value):
            self._broken = self._begin if self._broken is None else self._broken
        self._last = self._at

    def _ends_string(self) -> bool:
        found = _REST_OF_STRING.match(self._text, self._at)
        stop = found["stop"] if found else ""
        self._at = found.end() if found else self._at
        if len(stop) == 2:
            self._open.append(stop)
        return bool(stop) and len(self._open) <= _DEEPEST

    def _ends_heredoc(self, marker: str) -> bool:
        end = re.compile(rf"\n[^\S\n]*{re.escape(marker)}[^\S\n]*(?=\n|\Z)")
        found = end.search(self._text, self._at - 1)
        self._at = found.end() if found else self._at
        return found is not None
