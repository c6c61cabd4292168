"""Operations to edits: which characters are replaced by which, with line ends, commas and indent right."""

from collections.abc import Sequence

from migrate.compose.lex import Kind, Lexeme
from migrate.compose.place import Place
from migrate.text import Span, Syntax

Edit = tuple[Span, str]
"""Characters, and what stands in their place afterwards."""


def drop(place: Place) -> list[Edit]:
    """Take out the thing with its lines, or only itself where it shares them."""
    gone = _lines(place) if place.alone else _part(place)
    before, after = place.comma_before, place.comma_after
    parts = [gone]
    if not any(comma and gone.contains(comma.span) for comma in (before, after)):
        # HCL allows a comma behind the last of a list, and the line above stays as it is.
        comma = after or (None if place.document.syntax is Syntax.HCL else before)
        parts += [comma.span] if comma else []
    return [(_with_returns(place.document.text, part), "") for part in parts]


def _with_returns(text: str, gone: Span) -> Span:
    """Carriage returns in front go too where a line feed follows: together they would be one line end."""
    start = gone.start
    while text.startswith("\n", gone.end) and text.endswith("\r", 0, start):
        start -= 1
    return Span(start, gone.end)


def _lines(place: Place) -> Span:
    """A last line without a line end goes with that of the line above, but for a heredoc, which needs its."""
    line, above = place.line, [lexeme.kind for lexeme in place.before[-2:]]
    if place.ends_line or line.start == place.document.span.start or above == [Kind.LAST, Kind.NEWLINE]:
        return line
    return Span(line.start - len(place.newline), line.end)


def _part(place: Place) -> Span:
    span, left, right = place.span, place.left, place.right
    match _kind(left), _kind(right):
        case Kind.OPEN, Kind.COMMA if _kind(right[1:]) is Kind.CLOSE:
            return Span(left[0].end, right[1].start)
        case _, Kind.COMMA if _kind(right[1:]) not in {None, Kind.COMMENT}:
            return Span(span.start, right[1].start)
        case _, Kind.COMMA:
            return Span(left[0].end if left else span.start, right[0].end)
        case Kind.COMMA, None if len(left) == 1:
            return _lines(place)
        case Kind.COMMA, _:
            return Span(left[0].start, span.end)
        case Kind.OPEN, Kind.CLOSE:
            return Span(left[0].end, right[0].start)
        case None, _:
            return Span(span.start, right[0].start if right else span.end)
        case _:
            return Span(left[0].end, span.end)


def _kind(nearest_first: Sequence[Lexeme]) -> Kind | None:
    return nearest_first[0].kind if nearest_first else None


def insert_after(place: Place, lines: Sequence[str]) -> list[Edit]:
    """Lines below the thing, or more of the same line where it shares its line in brackets."""
    behind = Span(place.span.end, place.span.end)
    if not place.alone and place.bracket:
        return [(behind, ", " + " ".join(lines))]
    if place.comma_after and place.line.contains(place.comma_after.span):
        return [_below(place, _with_comma(lines), place.indent)]
    below = _below(place, lines, place.indent)
    return [(behind, ","), below] if place.needs_comma else [below]


def insert_inside(bracket: Place, lines: Sequence[str]) -> list[Edit]:
    """Lines below the opening bracket, or on its line where that goes on."""
    first = bracket.next
    if first and first in bracket.right:
        return [_in_line(bracket, first, " ".join(lines))]
    if first is None or first.kind is Kind.CLOSE:
        return [_below(bracket, lines, bracket.inner_indent)]
    indent = bracket.document.indent(first.start)
    return [_below(bracket, lines if bracket.is_hcl_brace else _with_comma(lines), indent)]


def _in_line(bracket: Place, first: Lexeme, new: str) -> Edit:
    if first.kind is not Kind.CLOSE:
        return Span(first.start, first.start), f"{new}, "
    blank = " " if bracket.is_hcl_brace else ""
    return Span(bracket.span.end, first.start), f"{blank}{new}{blank}"


def open_up(brace: Place) -> list[Edit]:
    """The line breaks that a one-line block needs to hold more: HCL allows but one argument on its line."""
    block = brace.document.one_line(brace.span.start) if brace.opens_block else None
    if block is None:
        return []
    inner = list(brace.document.lexemes(block.start + 1, block.end - 1))
    outside = brace.newline + brace.indent
    if not inner:
        return [(Span(block.start + 1, block.end - 1), outside)]
    return [
        (Span(block.start + 1, inner[0].start), brace.newline + brace.inner_indent),
        (Span(inner[-1].end, block.end - 1), outside),
    ]


def _below(place: Place, lines: Sequence[str], indent: str) -> Edit:
    end = Span(place.line.end, place.line.end)
    if place.ends_line:
        return end, _joined(lines, indent, place.newline)
    return end, place.newline + _joined(lines, indent, place.newline).removesuffix(place.newline)


def _joined(lines: Sequence[str], indent: str, newline: str) -> str:
    return "".join((indent + line if line else "") + newline for line in lines)


def _with_comma(lines: Sequence[str]) -> list[str]:
    return [*lines[:-1], f"{lines[-1]},"]
