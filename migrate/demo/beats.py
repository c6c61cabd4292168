"""What an act tells, as values: acts give these out one by one, and somebody else prints them."""

from typing import TypeAlias

from msgspec import Struct


class Heading(Struct, frozen=True):
    text: str


class Scene(Struct, frozen=True):
    """What is done next, and why."""

    text: str


class Said(Struct, frozen=True):
    """The words of a program that `who` ran; lines that do not matter here are left out."""

    who: str
    command: str
    lines: tuple[str, ...]


class Shown(Struct, frozen=True):
    """Something an act promises to show, and whether it came so."""

    promise: str
    kept: bool


class Meaning(Struct, frozen=True):
    """What follows from what was seen."""

    text: str


Beat: TypeAlias = Heading | Scene | Said | Shown | Meaning


def excerpt(text: str, *wanted: str) -> tuple[str, ...]:
    """The lines of a program's words that hold one of the wanted pieces, in their order."""
    lines = [line.rstrip() for line in text.strip().splitlines()]
    return tuple(line for line in lines if any(piece in line for piece in wanted))
