"""Strings of HCL as words of a policy, each expression a hole, and back."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from migrate import hcl
from migrate.iam.glob import Hole
from migrate.iam.policy import Part, Word
from migrate.spelling.layout import Quote, Tree
from migrate.text import Span

JOINING: Final = ("concat", "distinct", "toset", "compact", "flatten")
"""Functions that make one list of the items of others."""


def words_of(text: str, value: hcl.Value, *, either: bool = False) -> tuple[Word, ...]:
    """The words of a list; an expression that makes one is a word with a hole for each of its items in turn.

    `either`: of `condition ? one : other` the words of both.
    """
    match value:
        case hcl.List(items):
            return tuple(Word(parts_of(text, item), item.span) for item in items)
        case hcl.Call(name, arguments) if name in JOINING:
            return tuple(word for one in arguments for word in words_of(text, one, either=either))
        case hcl.Choice(condition, yes, no) if either:
            asked = condition.span.of(text)
            return tuple(
                replace(word, only_if=((asked, answer), *word.only_if))
                for answer, arm in ((True, yes), (False, no))
                for word in words_of(text, arm, either=True)
            )
        case hcl.Literal() | hcl.Template():
            return (Word(parts_of(text, value), value.span),)
        case _:
            return (Word(_each(value.span.of(text)), value.span),)


_EACH: Final = re.compile(r'\[\s*for\s+(\w+)\s+in\s+(.*\S)\s*:\s*"\$\{\1\}([^"$%\\]*)"\s*\]', re.DOTALL)


def _each(expression: str) -> tuple[Part, ...]:
    """Each item of a list; of one that puts a text behind each item of another, that item and the text."""
    found = _EACH.fullmatch(expression)
    if found is None:
        return (Hole(f"${{{expression}}}", several=True),)
    return (Hole(f"${{{found[2]}}}", several=True), found[3])


def parts_of(text: str, value: hcl.Value) -> tuple[Part, ...]:
    """What a string consists of: text as IAM reads it, and a hole for each expression."""
    match value:
        case hcl.Literal(str(literal)):
            return (literal,)
        case hcl.Literal(bool(literal)):
            return (str(literal).lower(),)
        case hcl.Template(pieces):
            return tuple(_part(text, piece) for piece in pieces)
        case _:
            return (Hole(f"${{{value.span.of(text)}}}"),)


def _part(text: str, piece: Span | hcl.Value) -> Part:
    if not isinstance(piece, Span):
        return Hole(f"${{{piece.span.of(text)}}}")
    read = hcl.expression(f'"{piece.of(text)}"')
    return read.value if isinstance(read, hcl.Literal) and isinstance(read.value, str) else piece.of(text)


def quoted(word: Word) -> str:
    """A word as HCL spells it; an expression alone stays one."""
    match word.parts:
        case (Hole(symbol, several=True), str(behind)):
            return f'[for arn in {symbol[2:-1]} : "${{arn}}{_spelt(behind)}"]'
        case (Hole(symbol),):
            return symbol[2:-1]
        case parts:
            return f'"{"".join(_spelt(part) for part in parts)}"'


def listed(words: Sequence[Word], quote: Quote = quoted) -> Tree:
    """Words as a list of HCL; those that are lists themselves are joined to it."""
    lists = [quote(word) for word in words if _is_list(word)]
    plain = [quote(word) for word in words if not _is_list(word)]
    if not lists:
        return plain
    joined = [f"[{', '.join(plain)}]"] if plain else []
    return f"concat({', '.join([*joined, *lists])})" if len(lists) + len(joined) > 1 else lists[0]


def _is_list(word: Word) -> bool:
    return isinstance(word.parts[0], Hole) and word.parts[0].several


def _spelt(part: Part) -> str:
    if isinstance(part, Hole):
        return part.symbol
    plain = part.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return plain.replace("${", "$${").replace("%{", "%%{")


def values_in(value: hcl.Value) -> Iterator[hcl.Value]:
    """A value and every value in it."""
    yield value
    match value:
        case hcl.List(inner) | hcl.Call(_, inner):
            found = inner
        case hcl.Object(items):
            found = tuple(item.value for item in items)
        case hcl.Choice(condition, yes, no):
            found = (condition, yes, no)
        case hcl.Template(pieces):
            found = tuple(piece for piece in pieces if not isinstance(piece, Span))
        case _:
            found = ()
    for one in found:
        yield from values_in(one)
