"""Globs as IAM has them: `*` is any run of characters, `/` among them, `?` exactly one, all else itself."""

from __future__ import annotations

import re
from collections.abc import Iterable
from enum import Enum
from functools import lru_cache
from typing import Literal, TypeAlias

from msgspec import Struct


class Wild(Enum):
    """What stands for more than itself in a glob."""

    ONE = "?"
    ANY = "*"
    SEGMENT = "<segment>"
    """One or more characters without `/`: the name of a workspace. Only requests have it."""
    FIELD = "<field>"
    """Any run of characters without `:`: what an expression between two colons of an ARN can be."""

    __hash__ = object.__hash__  # globs are keys of all that is remembered; an Enum's own hash is slow


class Hole(Struct, frozen=True):
    """A part of a pattern whose text is not known here.

    `symbol`: an expression of the language the policy is written in; `key`: a policy variable whose context
    key nobody told; `variable`: a policy variable that the request certainly does not have.
    """

    symbol: str
    kind: Literal["symbol", "key", "variable"] = "symbol"
    several: bool = False
    """Whether the expression makes a list, of which each item stands here in turn."""


Piece: TypeAlias = str | Wild | Hole


class Glob(Struct, frozen=True):
    """Literal runs, wild cards and holes in order; made by `glob`, `exact` or `join`."""

    pieces: tuple[Piece, ...]

    def __str__(self) -> str:
        return "".join(_shown(piece) for piece in self.pieces)

    @property
    def literal(self) -> str | None:
        """The one text this glob means, or None if it can mean several."""
        match self.pieces:
            case ():
                return ""
            case (str() as only,):
                return only
            case _:
                return None

    @property
    def has_holes(self) -> bool:
        return any(isinstance(piece, Hole) for piece in self.pieces)

    @property
    def widest(self) -> Glob:
        """The same with every hole as wide as it can be."""
        if not self.has_holes:
            return self
        return join(
            _wide(self, at) if isinstance(piece, Hole) else piece for at, piece in enumerate(self.pieces)
        )

    def matches(self, text: str) -> bool:
        """Whether `text` is one of the texts meant. A hole could be anything."""
        return _expression(self).fullmatch(text) is not None

    def may_begin_as(self, other: Glob) -> bool:
        """Whether the characters that both begin with are the same, as far as both tell them."""
        mine, others = self._head, other._head
        return mine.startswith(others) or others.startswith(mine)

    @property
    def _head(self) -> str:
        first = self.pieces[0] if self.pieces else ""
        return first if isinstance(first, str) else ""

    def ends(self, tail: str) -> bool:
        """Whether every text meant ends so, as its literal characters show."""
        return bool(self.pieces) and isinstance(last := self.pieces[-1], str) and last.endswith(tail)


def exact(text: str) -> Glob:
    """The glob that means `text` and nothing else, whatever signs are in it."""
    return Glob((text,) if text else ())


@lru_cache(maxsize=16384)
def glob(text: str) -> Glob:
    """Read a pattern in which `*` and `?` are wild."""
    wild = {"*": Wild.ANY, "?": Wild.ONE}
    return join(wild.get(part, part) for part in re.split(r"([*?])", text))


def join(pieces: Iterable[Piece]) -> Glob:
    """The pieces as one glob: neighbouring literals in one run, `**` as `*`."""
    joined: list[Piece] = []
    for piece in pieces:
        last = joined[-1] if joined else None
        if isinstance(piece, str) and isinstance(last, str):
            joined[-1] = last + piece
        elif piece != "" and not (piece is Wild.ANY and last is Wild.ANY):
            joined.append(piece)
    return Glob(tuple(joined))


def lowered(pattern: Glob) -> Glob:
    """The same in lower case, for names whose case does not count."""
    return Glob(tuple(piece.lower() if isinstance(piece, str) else piece for piece in pattern.pieces))


@lru_cache(maxsize=16384)
def _expression(pattern: Glob) -> re.Pattern[str]:
    spelt = {Wild.ONE: ".", Wild.ANY: ".*", Wild.SEGMENT: "[^/]+", Wild.FIELD: "[^:]*"}
    parts = (
        re.escape(piece) if isinstance(piece, str) else ".*" if isinstance(piece, Hole) else spelt[piece]
        for piece in pattern.widest.pieces
    )
    return re.compile("".join(parts), re.DOTALL)


def _wide(pattern: Glob, at: int) -> Wild:
    """What the hole at a place can be."""
    before, after = pattern.pieces[at - 1 : at], pattern.pieces[at + 1 : at + 2]
    match before, after:
        case (str(head),), (str(tail),) if head.endswith(":") and tail.startswith(":"):
            return Wild.FIELD
        case _:
            return Wild.ANY


def _shown(piece: Piece) -> str:
    match piece:
        case str():
            return piece
        case Hole(symbol):
            return symbol
        case Wild():
            return piece.value
