"""What an act tells, as values: acts give these out one by one, and somebody else prints them."""

from dataclasses import dataclass
from typing import TypeAlias


@dataclass(frozen=True, slots=True)
class Heading:
    text: str


@dataclass(frozen=True, slots=True)
class Scene:
    """What is done next, and why."""

    text: str


@dataclass(frozen=True, slots=True)
class Said:
    """The words of a program that `who` ran; lines that do not matter here are left out."""

    who: str
    command: str
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Shown:
    """Something an act promises to show, and whether it came so."""

    promise: str
    kept: bool


@dataclass(frozen=True, slots=True)
class Meaning:
    """What follows from what was seen."""

    text: str


Beat: TypeAlias = Heading | Scene | Said | Shown | Meaning


def excerpt(text: str, *wanted: str) -> tuple[str, ...]:
    """The lines of a program's words that hold one of the wanted pieces, in their order."""
    lines = [line.rstrip() for line in text.strip().splitlines()]
    return tuple(line for line in lines if any(piece in line for piece in wanted))
