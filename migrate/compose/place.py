"""What stands around a thing in a text: its lines, its commas, the brackets it is in."""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import takewhile
from typing import Final

from msgspec import Struct

from migrate.compose.lex import DEPTH, Kind, Lexeme, lexemes
from migrate.text import Span, Syntax

_BLANKS: Final = re.compile(r"[ \t]*")
_NAME_OR_LABEL: Final = re.compile(r'[\w-]+|.*"')
_SILENT: Final = {Kind.NEWLINE, Kind.COMMENT}


class Document(Struct, frozen=True):
    """The part of a text that is of one syntax."""

    text: str
    span: Span
    syntax: Syntax

    def lexemes(self, start: int, end: int) -> Iterator[Lexeme]:
        return lexemes(self.text, Span(start, end), self.syntax)

    def indent(self, at: int) -> str:
        """The blanks that the line of `at` starts with."""
        start = max(self.span.start, self.text.rfind("\n", 0, at) + 1)
        blanks = _BLANKS.match(self.text, start)
        return blanks[0] if blanks else ""

    def one_line(self, bracket: int) -> Span | None:
        """From the bracket that opens there to the one that closes it, if no line ends right between them."""
        depth = 0
        for lexeme in self.lexemes(bracket, self.span.end):
            depth += DEPTH.get(lexeme.kind, 0)
            if depth == 0:
                return Span(bracket, lexeme.end)
            if depth == 1 and _is_newline(lexeme):
                return None
        return None


class Place(Struct, frozen=True):
    """A thing, all lexemes before it, and those after it to the end of its line and to what comes next."""

    document: Document
    span: Span
    before: Sequence[Lexeme]
    after: Sequence[Lexeme]

    @property
    def line(self) -> Span:
        """The logical lines of the thing, with their line end."""
        start = next((lexeme.end for lexeme in reversed(self.before) if _is_newline(lexeme)), None)
        end = next((lexeme.end for lexeme in self.after if _is_newline(lexeme)), None)
        whole = self.document.span
        return Span(whole.start if start is None else start, whole.end if end is None else end)

    @property
    def left(self) -> Sequence[Lexeme]:
        """What stands before the thing on its line, the nearest first."""
        return list(_line_of(reversed(self.before)))

    @property
    def right(self) -> Sequence[Lexeme]:
        """What stands after the thing on its line, the nearest first."""
        return list(_line_of(self.after))

    @property
    def ends_line(self) -> bool:
        """Whether its line has a line end; the last of a file may have none."""
        return self.document.text.endswith("\n", self.line.start, self.line.end)

    @property
    def newline(self) -> str:
        """The line end used here: that of its line, or else of the line above."""
        end = self.line.end if self.ends_line else self.line.start
        return "\r\n" if self.document.text.endswith("\r\n", 0, end) else "\n"

    @property
    def indent(self) -> str:
        return self.document.indent(self.line.start)

    @property
    def alone(self) -> bool:
        """Whether its lines hold nothing but comments and its comma besides."""
        others = [*self.left, *(lexeme for lexeme in self.right if lexeme != self.comma_after)]
        return all(lexeme.kind is Kind.COMMENT for lexeme in others)

    @property
    def next(self) -> Lexeme | None:
        """What comes next, on whatever line, that is no comment."""
        return _loud(self.after)

    @property
    def comma_before(self) -> Lexeme | None:
        return _comma(_loud(reversed(self.before)))

    @property
    def comma_after(self) -> Lexeme | None:
        return _comma(self.next)

    @property
    def bracket(self) -> "Place | None":
        """The bracket that the thing is in."""
        depth = 0
        for index, lexeme in reversed(list(enumerate(self.before))):
            depth += DEPTH.get(lexeme.kind, 0)
            if depth == 1:
                return _place(self.document, lexeme.span, self.before[:index])
        return None

    @property
    def needs_comma(self) -> bool:
        """Whether nothing but a comma can part it from what is added beside it."""
        return self.bracket is not None and not self.bracket.is_hcl_brace

    @property
    def is_hcl_brace(self) -> bool:
        """Whether the thing is a `{` in which line ends may part what it holds."""
        return self.document.syntax is Syntax.HCL and self.span.of(self.document.text) == "{"

    @property
    def opens_block(self) -> bool:
        """Whether the thing is the `{` of an HCL block: before it stands the block's type or a label."""
        header = next((lexeme.span for lexeme in self.left if lexeme.kind is not Kind.COMMENT), Span(0, 0))
        return self.is_hcl_brace and _NAME_OR_LABEL.fullmatch(header.of(self.document.text)) is not None

    @property
    def inner_indent(self) -> str:
        """The indent of what is in this bracket: a step like that from the bracket around it to this one."""
        outer = self.bracket.indent if self.bracket else self.indent
        step = self.indent.removeprefix(outer) or ("\t" if self.indent.startswith("\t") else "  ")
        return self.indent + step


def look(document: Document, span: Span) -> Place:
    """The thing at `span` of the document and what stands around it."""
    return _place(document, span, list(document.lexemes(document.span.start, span.start)))


def _place(document: Document, span: Span, before: Sequence[Lexeme]) -> Place:
    return Place(document, span, before, list(_line_and_next(document.lexemes(span.end, document.span.end))))


def _line_and_next(following: Iterator[Lexeme]) -> Iterator[Lexeme]:
    ended = False
    for lexeme in following:
        yield lexeme
        ended = ended or _is_newline(lexeme)
        if ended and lexeme.kind not in _SILENT:
            return


def _is_newline(lexeme: Lexeme) -> bool:
    return lexeme.kind is Kind.NEWLINE


def _line_of(away: Iterable[Lexeme]) -> Iterator[Lexeme]:
    return takewhile(lambda lexeme: not _is_newline(lexeme), away)


def _loud(away: Iterable[Lexeme]) -> Lexeme | None:
    return next((lexeme for lexeme in away if lexeme.kind not in _SILENT), None)


def _comma(nearest: Lexeme | None) -> Lexeme | None:
    return nearest if nearest and nearest.kind is Kind.COMMA else None
