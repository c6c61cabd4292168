"""Operations written by what they are about, and what is asked of every pair of texts."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from migrate.compose import compose
from migrate.text import Drop, InsertAfter, InsertInside, Op, Replace, Span, Syntax
from tests.pairs import with_crlf, with_mark

HCL, JSON, PLAIN = Syntax.HCL, Syntax.JSON, Syntax.PLAIN

Make: TypeAlias = Callable[[str], Op]
"""An operation as soon as the text is known."""


def at(text: str, thing: str) -> Span:
    """Where `thing` first stands, its line ends being those of the text."""
    there = thing.replace("\n", "\r\n") if "\r\n" in text else thing
    start = text.index(there)
    return Span(start, start + len(there))


def drop(thing: str, syntax: Syntax = HCL) -> Make:
    return lambda text: Drop(at(text, thing), syntax)


def replace(thing: str, new: str, syntax: Syntax = HCL) -> Make:
    return lambda text: Replace(at(text, thing), new, syntax)


def after(thing: str, *lines: str, syntax: Syntax = HCL) -> Make:
    return lambda text: InsertAfter(at(text, thing), lines, syntax)


def inside(braces: str, *lines: str, syntax: Syntax = HCL) -> Make:
    return lambda text: InsertInside(at(text, braces), lines, syntax)


def check(old: str, new: str, *makes: Make) -> None:
    """The operations make `new` of `old`: in any order, with any line ends, behind a mark or not."""
    for dress in (str, with_crlf, with_mark):
        text = dress(old)
        ops = [make(text) for make in makes]
        assert compose(text, ops) == dress(new)
        assert compose(text, reversed(ops)) == dress(new)
