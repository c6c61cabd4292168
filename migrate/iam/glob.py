"""Globs as IAM has them: `*` is any run of characters, `/` among them, `?` exactly one, all else is itself.

A request may be a glob too ("every workspace of this key"): `profiles` then splits all it can mean into
classes that match the same patterns, by running these over it as one automaton whose state is a bit mask.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache
from typing import Final, Literal, TypeAlias


class Wild(Enum):
    """What stands for more than itself in a glob."""

    ONE = "?"
    ANY = "*"
    SEGMENT = "<segment>"
    """One or more characters without `/`: the name of a workspace. Only requests have it."""


@dataclass(frozen=True, slots=True)
class Hole:
    """A part of a pattern whose text is not known here.

    `symbol`: an expression of the language the policy is written in; `key`: a policy variable whose context
    key nobody told; `variable`: a policy variable that the request certainly does not have.
    """

    symbol: str
    kind: Literal["symbol", "key", "variable"] = "symbol"


Piece: TypeAlias = str | Wild | Hole


@dataclass(frozen=True, slots=True)
class Glob:
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
        return join(Wild.ANY if isinstance(piece, Hole) else piece for piece in self.pieces)

    def matches(self, text: str) -> bool:
        """Whether `text` is one of the texts meant. A hole could be anything."""
        return _expression(self).fullmatch(text) is not None

    def ends(self, tail: str) -> bool:
        """Whether every text meant ends so, as its literal characters show."""
        return bool(self.pieces) and isinstance(last := self.pieces[-1], str) and last.endswith(tail)


Union: TypeAlias = tuple[Glob, ...]


class TooWideError(Exception):
    """A set of patterns so tangled that its classes are not worth counting: the answer is unknown."""


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


def covered(one: Glob, union: Union) -> bool:
    """Whether every text `one` can mean is matched by some pattern of `union`.

    A hole is then one unknown text, the same wherever its symbol stands.
    """
    return all(profiles(one, union))


def overlap(one: Glob, union: Union) -> bool:
    """Whether some text `one` can mean is matched by some pattern of `union`, for some text in each hole."""
    return any(profiles(one.widest, tuple(pattern.widest for pattern in union)))


def profiles(request: Glob, union: Union) -> frozenset[frozenset[Glob]]:
    """For each class of texts that `request` can mean, the patterns of `union` that match it.

    Raises TooWideError when there are too many classes to count.
    """
    if request.literal is not None:
        return frozenset({frozenset(glob for glob in union if glob.matches(request.literal))})
    automaton = _automaton(union)
    states = {automaton.start}
    for piece in request.pieces:
        states = automaton.after(states, piece)
    return frozenset(
        frozenset(glob for glob, end in zip(union, automaton.ends, strict=True) if state & end)
        for state in states
    )


_Symbol: TypeAlias = str | Hole
_OTHER: Final = ""  # a character that stands in none of the patterns
_MOST: Final = 4096


@dataclass(frozen=True, slots=True)
class _Automaton:
    """All patterns at once. Bit i of a state: the text so far can have brought a pattern to its place i.

    `takes` says for a symbol which places it moves on from, `ones` which any character moves on from, `loops`
    which places any symbol leaves where they are.
    """

    start: int
    ends: tuple[int, ...]
    takes: dict[_Symbol, int]
    ones: int
    loops: int

    def step(self, state: int, symbol: _Symbol) -> int:
        wild = 0 if isinstance(symbol, Hole) else self.ones
        moved = (state & (self.takes.get(symbol, 0) | wild)) << 1 | (state & self.loops)
        return moved | (moved & self.loops) << 1

    def after(self, states: set[int], piece: Piece) -> set[int]:
        """The states that texts of `piece` can lead to from `states`."""
        match piece:
            case str():
                return {self._run(state, piece) for state in states}
            case Hole():
                return {self.step(state, piece) for state in states}
            case Wild.ONE:
                return self._spread(states, lambda symbol: True)
            case Wild.ANY:
                return self._closure(states, lambda symbol: True)
            case Wild.SEGMENT:
                return self._closure(self._spread(states, _in_segment), _in_segment)

    def _run(self, state: int, text: str) -> int:
        for character in text:
            state = self.step(state, character)
        return state

    def _spread(self, states: set[int], allowed: Callable[[str], bool]) -> set[int]:
        return {
            self.step(state, symbol)
            for state in states
            for symbol in self._alphabet(state)
            if allowed(symbol)
        }

    def _closure(self, states: set[int], allowed: Callable[[str], bool]) -> set[int]:
        seen, fresh = set(states), set(states)
        while fresh:
            fresh = self._spread(fresh, allowed) - seen
            seen |= fresh
            if len(seen) > _MOST:
                raise TooWideError
        return seen

    def _alphabet(self, state: int) -> list[str]:
        """One character of each kind that makes a difference here."""
        own = [symbol for symbol, places in self.takes.items() if places & state and isinstance(symbol, str)]
        return [*own, _OTHER]


def _in_segment(symbol: str) -> bool:
    return symbol != "/"


@lru_cache(maxsize=1024)
def _automaton(union: Union) -> _Automaton:
    takes: dict[_Symbol, int] = {}
    ends: list[int] = []
    start = ones = loops = 0
    place = 1
    for pattern in union:
        start |= place
        for symbol in _symbols(pattern):
            match symbol:
                case Wild.ANY:
                    loops |= place
                case Wild.ONE:
                    ones |= place
                case Wild.SEGMENT:
                    raise ValueError("a segment stands in requests only")
                case _:
                    takes[symbol] = takes.get(symbol, 0) | place
            place <<= 1
        ends.append(place)
        place <<= 1
    return _Automaton(start | (start & loops) << 1, tuple(ends), takes, ones, loops)


def _symbols(pattern: Glob) -> Iterable[_Symbol | Wild]:
    for piece in pattern.pieces:
        if isinstance(piece, str):
            yield from piece
        else:
            yield piece


@lru_cache(maxsize=16384)
def _expression(pattern: Glob) -> re.Pattern[str]:
    spelt = {Wild.ONE: ".", Wild.ANY: ".*", Wild.SEGMENT: "[^/]+"}
    parts = (
        re.escape(piece) if isinstance(piece, str) else ".*" if isinstance(piece, Hole) else spelt[piece]
        for piece in pattern.pieces
    )
    return re.compile("".join(parts), re.DOTALL)


def _shown(piece: Piece) -> str:
    match piece:
        case str():
            return piece
        case Hole(symbol):
            return symbol
        case Wild():
            return piece.value
