"""Beats → lines, each with the part it plays; who prints them gives each part its colour."""

from collections.abc import Iterable, Iterator
from textwrap import TextWrapper
from typing import Final, Literal, TypeAlias, assert_never

from msgspec import Struct

from migrate.demo.beats import Beat, Heading, Meaning, Said, Scene, Shown

Part: TypeAlias = Literal["heading", "prose", "command", "words", "kept", "missed", "meaning"]

WIDEST: Final = 88


class Line(Struct, frozen=True):
    text: str
    part: Part


def lines(beats: Iterable[Beat], columns: int | None = None) -> Iterator[Line]:
    """The lines of each beat as it comes, for a terminal of so many columns, with a blank one before it; what
    was shown stands together.
    """
    width = min(columns or WIDEST, WIDEST)
    before: Beat | None = None
    for beat in beats:
        if before and not (isinstance(before, Shown) and isinstance(beat, Shown)):
            yield Line("", "prose")
        yield from _of(beat, width)
        before = beat


def _of(beat: Beat, width: int) -> Iterator[Line]:
    """Prose is wrapped; the words of a program stand as they were said."""
    match beat:
        case Heading(text):
            yield Line(f"── {text} ".ljust(width, "─"), "heading")
        case Scene(text):
            yield from _wrapped(text, "prose", width)
        case Said(who, command, words):
            yield Line(f"  {who} $ {command}" if who else f"  $ {command}", "command")
            yield from (Line(f"    {word}".rstrip(), "words") for word in words)
        case Shown(promise, kept=True):
            yield from _wrapped(f"  ✓ {promise}", "kept", width)
        case Shown(promise):
            yield from _wrapped(f"  ✗ not shown: {promise}", "missed", width)
        case Meaning(text):
            yield from _wrapped(text, "meaning", width)
        case _:
            assert_never(beat)


def _wrapped(text: str, part: Part, width: int) -> Iterator[Line]:
    indent = "    " if text.startswith(" ") else ""
    wrapper = TextWrapper(width, subsequent_indent=indent, break_on_hyphens=False, break_long_words=False)
    yield from (Line(line, part) for line in wrapper.wrap(text))
