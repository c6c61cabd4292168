"""Text to lexemes: as much of HCL, JSON and plain lines as is needed to know where a thing begins and ends.

Tolerant: every text has lexemes, and a quote that is not closed ends with its line. A heredoc and a comment
over several lines hold no `NEWLINE` lexeme: what stands between two of them is a line for `terraform fmt`.
"""

import re
from collections.abc import Iterator
from enum import Enum
from typing import Final

from msgspec import Struct

from migrate.text import Span, Syntax


class Kind(Enum):
    OPEN = "open"  # a bracket, or the `${` or `%{` of a template
    CLOSE = "close"
    EQUAL = "equal"
    COMMA = "comma"
    COMMENT = "comment"
    NEWLINE = "newline"
    LAST = "last"  # the marker that ends a heredoc
    OTHER = "other"


class Lexeme(Struct, frozen=True):
    kind: Kind
    start: int
    end: int

    @property
    def span(self) -> Span:
        return Span(self.start, self.end)


DEPTH: Final = {Kind.OPEN: 1, Kind.CLOSE: -1}
"""What a lexeme adds to how deep in brackets one is."""


def lexemes(text: str, span: Span, syntax: Syntax) -> Iterator[Lexeme]:
    """The lexemes of `text` in `span`, which starts outside of any string, comment or heredoc."""
    match syntax:
        case Syntax.HCL:
            return _nested(text, span)
        case Syntax.JSON:
            return _flat(_JSON, text, span)
        case Syntax.PLAIN:
            return _flat(_PLAIN, text, span)


# A carriage return ends a line together with a line feed only; by itself it is as blank as JSON says.
_BLANKS = r"[ \t]*+(?>(?:\r(?!\n)[ \t]*+)*)"
_NEWLINE = r"(?P<newline>\r?\n)"
_TO_END_OF_LINE = r"[^\r\n]*(?:\r(?!\n)[^\r\n]*)*"
_CODE: Final = re.compile(
    rf"""{_BLANKS}(?:{_NEWLINE}
    |(?P<comment>(?:\#|//){_TO_END_OF_LINE}|/\*(?s:.)*?(?:\*/|\Z))
    |(?P<heredoc><<-?(?P<marker>[^\W\d][\w-]*)\r?\n)
    |(?P<other>[=!<>]=|=>|\w[\w-]*|"[^"\\$%\r\n]*")
    |(?P<quote>")
    |(?P<brace>\{{)|(?P<unbrace>\}})
    |(?P<open>[\[(])|(?P<close>[\])])
    |(?P<equal>=)
    |(?P<comma>,)
    |(?P<rest>[^ \t\n]))""",
    re.VERBOSE,
)
_JSON: Final = re.compile(
    rf"""{_BLANKS}(?:{_NEWLINE}
    |(?P<other>"(?:[^"\\\n]|\\.)*"?|[\w.+-]+)
    |(?P<open>[\[{{])|(?P<close>[\]}}])
    |(?P<comma>,)
    |(?P<rest>[^ \t\n])
    |\Z)""",
    re.VERBOSE,
)
_PLAIN: Final = re.compile(
    rf"{_BLANKS}(?:{_NEWLINE}|(?P<comment>(?<!\S)\#{_TO_END_OF_LINE})|(?P<other>\S+|[^ \t\n])|\Z)", re.VERBOSE
)

# In a template `$${` and `%%{` are escapes, `${` and `%{` open code, any other `$` or `%` is itself.
_TEMPLATE = r"(?P<template>[$%]\{)"
_DOLLAR = r"\$\$\{|%%\{|[$%](?!\{)"
_STRING: Final = re.compile(
    rf'(?P<unquote>")|{_TEMPLATE}|(?P<literal>(?:[^"\\$%\r\n]|\\.|\r(?!\n)|{_DOLLAR})+)'
)


def _heredoc(marker: str) -> re.Pattern[str]:
    last = rf"(?P<last>(?<=\n)[^\S\n]*{re.escape(marker)}(?=[^\S\n]*(?:\n|\Z)))"
    return re.compile(rf"{last}|{_TEMPLATE}|(?P<literal>(?:[^$%\n]|{_DOLLAR})+\n?|\n)")


_KINDS: Final = {
    "newline": Kind.NEWLINE,
    "comment": Kind.COMMENT,
    "brace": Kind.OPEN,
    "open": Kind.OPEN,
    "template": Kind.OPEN,
    "unbrace": Kind.CLOSE,
    "close": Kind.CLOSE,
    "equal": Kind.EQUAL,
    "comma": Kind.COMMA,
    "last": Kind.LAST,
}


_TURNS: Final = {"quote", "heredoc", "template", "brace", "unbrace", "unquote", "last"}


class _Mode(Struct):
    """What the scanner is in, and how many `{` of it are open."""

    pattern: re.Pattern[str]
    braces: int = 0


def _flat(pattern: re.Pattern[str], text: str, span: Span) -> Iterator[Lexeme]:
    for found in pattern.finditer(text, span.start, span.end):
        if found.lastgroup:
            yield _lexeme(found)


def _nested(text: str, span: Span) -> Iterator[Lexeme]:
    """HCL, where strings and heredocs hold code again. Not by recursion: a file may nest a million deep."""
    modes = [_Mode(_CODE)]
    at = span.start
    while modes:
        found = modes[-1].pattern.match(text, at, span.end)
        if found is None:  # the end of the text; or a string's line ends, or a backslash is the last on it
            modes.pop()
            continue
        at = found.end()
        if found.lastgroup in _TURNS:
            _enter_or_leave(modes, found)
        yield _lexeme(found)


def _enter_or_leave(modes: list[_Mode], found: re.Match[str]) -> None:
    match found.lastgroup:
        case "quote":
            modes.append(_Mode(_STRING))
        case "heredoc":
            modes.append(_Mode(_heredoc(found["marker"])))
        case "template":
            modes.append(_Mode(_CODE))
        case "brace":
            modes[-1].braces += 1
        case "unbrace" if modes[-1].braces:
            modes[-1].braces -= 1
        case "unbrace" if len(modes) > 1:
            modes.pop()
        case "unquote" | "last":
            modes.pop()
        case _:
            pass


def _lexeme(found: re.Match[str]) -> Lexeme:
    kind = found.lastgroup or "rest"
    start, end = found.span(kind)
    return Lexeme(_KINDS.get(kind, Kind.OTHER), start, end)
