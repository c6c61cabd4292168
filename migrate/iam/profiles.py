"""Which of several globs match what a request can mean, where it means many things at once.

A request may be a glob too ("every workspace of this key"): `profiles` splits all it can mean into classes
that match the same patterns, by running these over it as one automaton whose state is a bit mask.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import Final, TypeAlias

from msgspec import Struct

from migrate.iam.glob import Glob, Hole, Piece, Wild

Union: TypeAlias = tuple[Glob, ...]


class TooWideError(Exception):
    """A set of patterns so tangled that its classes are not worth counting: the answer is unknown."""


def covered(one: Glob, union: Union) -> bool:
    """Whether every text `one` can mean is matched by some pattern of `union`.

    A hole is then one unknown text, the same wherever its symbol stands: no known text is it.
    """
    if one.literal is not None:
        return any(pattern.matches(one.literal) for pattern in union if not pattern.has_holes)
    return all(profiles(one, union))


def overlap(one: Glob, union: Union) -> bool:
    """Whether some text `one` can mean is matched by some pattern of `union`, for some text in each hole."""
    return any(profiles(one.widest, tuple(pattern.widest for pattern in union)))


def profiles(request: Glob, union: Union) -> tuple[frozenset[Glob], ...]:
    """For each class of texts that `request` can mean, the patterns of `union` that match it.

    They stand in one order in every run: what the first of them hangs on is what people are told.
    Raises TooWideError when there are too many classes to count.
    """
    return told_apart(request, tuple(pattern for pattern in union if pattern.may_begin_as(request)))


@lru_cache(maxsize=16384)
def told_apart(request: Glob, union: Union) -> tuple[frozenset[Glob], ...]:
    """As `profiles`, of patterns that may match at all; remembered, since many policies share those."""
    if request.literal is not None:
        return (frozenset(glob for glob in union if glob.matches(request.literal)),)
    automaton = _automaton(union)
    states = {automaton.start}
    for piece in request.pieces:
        states = automaton.after(states, piece)
    classes = (
        frozenset(glob for glob, end in zip(union, automaton.ends, strict=True) if state & end)
        for state in sorted(states)
    )
    return tuple(dict.fromkeys(classes))


_Symbol: TypeAlias = str | Hole
_OTHER: Final = ""  # a character that stands in none of the patterns
_MOST: Final = 4096


class _Automaton(Struct, frozen=True):
    """All patterns at once. Bit i of a state: the text so far can have brought a pattern to its place i.

    `takes` says for a symbol which places it moves on from, `ones` which any character moves on from, `loops`
    which places any symbol leaves where they are, `fields` which of these a colon does not.
    """

    start: int
    ends: tuple[int, ...]
    takes: dict[_Symbol, int]
    ones: int
    loops: int
    fields: int

    def step(self, state: int, symbol: _Symbol) -> int:
        wild = 0 if isinstance(symbol, Hole) else self.ones
        stays = self.loops & ~self.fields if symbol == ":" else self.loops
        moved = (state & (self.takes.get(symbol, 0) | wild)) << 1 | (state & stays)
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
            case Wild.FIELD:
                return self._closure(states, lambda symbol: symbol != ":")

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
    start = ones = loops = fields = 0
    place = 1
    for pattern in union:
        start |= place
        for symbol in _symbols(pattern):
            match symbol:
                case Wild.ANY:
                    loops |= place
                case Wild.FIELD:
                    loops |= place
                    fields |= place
                case Wild.ONE:
                    ones |= place
                case Wild.SEGMENT:
                    raise ValueError("a segment stands in requests only")
                case _:
                    takes[symbol] = takes.get(symbol, 0) | place
            place <<= 1
        ends.append(place)
        place <<= 1
    return _Automaton(start | (start & loops) << 1, tuple(ends), takes, ones, loops, fields)


def _symbols(pattern: Glob) -> Iterable[_Symbol | Wild]:
    for piece in pattern.pieces:
        if isinstance(piece, str):
            yield from piece
        else:
            yield piece
