"""A YAML document as texts with their lines: what is written, before anybody asks what it means."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from msgspec import Struct


class Scalar(Struct, frozen=True):
    """A value as it is written: `012345678901` keeps its zero. None: nothing stands there."""

    text: str | None
    line: int


class Items(Struct, frozen=True):
    """A list."""

    items: Sequence[Node]
    line: int


class Pairs(Struct, frozen=True):
    """A mapping, with every pair of it, also of a key that stands twice."""

    pairs: Sequence[tuple[Scalar, Node]]
    line: int


Node: TypeAlias = Scalar | Items | Pairs


class NotRead(Exception):  # noqa: N818 - a mistake of the file, told with its line
    """Why a text is no document of ours."""

    def __init__(self, line: int, why: str) -> None:
        super().__init__(line, why)
        self.line = line
        self.why = why
