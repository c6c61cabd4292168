"""Beats → lines, each with the part it plays; who prints them gives the parts their colours."""

from collections.abc import Iterator
from dataclasses import dataclass
from textwrap import wrap
from typing import Final, Literal, TypeAlias, assert_never

from migrate.demo.beats import Beat, Heading, Meaning, Said, Scene, Shown

Part: TypeAlias = Literal["heading", "prose", "command", "words", "kept", "missed", "meaning"]

WIDTH: Final = 88


@dataclass(frozen=True, slots=True)
class Line:
    text: str
    part: Part


def lines(beat: Beat) -> Iterator[Line]:
    """The lines of one beat. Prose is wrapped; the words of a program stand as they were said."""
    match beat:
        case Heading(text):
            yield from _block("heading", ["", f"── {text} ".ljust(WIDTH, "─")])
        case Scene(text):
            yield from _block("prose", wrap(text, WIDTH))
        case Said(who, command, words):
            yield from _block("command", [f"  {who} $ {command}".replace("   $", "  $")])
            yield from (Line(f"    {word}".rstrip(), "words") for word in words)
        case Shown(promise, kept):
            text = f"✓ {promise}" if kept else f"✗ not shown: {promise}"
            yield from _block("kept" if kept else "missed", wrap(text, WIDTH - 2, subsequent_indent="  "), 2)
        case Meaning(text):
            yield from _block("meaning", wrap(text, WIDTH))
        case _:
            assert_never(beat)


def _block(part: Part, texts: list[str], indent: int = 0) -> Iterator[Line]:
    yield Line("", "prose")
    yield from (Line(" " * indent + text, part) for text in texts)
