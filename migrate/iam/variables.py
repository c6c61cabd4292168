"""Policy variables: a word of a policy as the pattern it means in one request."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from migrate.iam.glob import Glob, Hole, Piece, glob, join
from migrate.iam.policy import Part, Word
from migrate.iam.request import Absence, Request

_VARIABLE: Final = re.compile(r"\$\{([^{}]*)\}")
_SIGNS: Final = ("*", "?", "$")  # `${*}` is a plain star
_DEFAULT: Final = re.compile(r"([^,]+?)\s*,\s*'([^']*)'\s*")


def has_variables(word: Word) -> bool:
    return any(isinstance(part, str) and "${" in part for part in word.parts)


def names(word: Word) -> Iterator[str]:
    """The keys of its variables."""
    for part in word.parts:
        for found in _VARIABLE.finditer(part) if isinstance(part, str) else ():
            yield found[1].partition(",")[0].strip()


def plain(word: Word, *, wild: bool) -> Glob:
    """The pattern of a word whose `${…}` is text. Where not `wild`, `*` and `?` are text too."""
    return _plain(word.parts, wild)


@lru_cache(maxsize=16384)
def _plain(parts: tuple[Part, ...], wild: bool) -> Glob:  # noqa: FBT001
    return join(piece for part in parts for piece in _read(part, wild=wild))


def understood(word: Word, request: Request, *, wild: bool) -> Glob:
    """The pattern of a word whose `${…}` are policy variables: unknown and absent ones are holes in it."""
    pieces: list[Piece] = []
    for part in word.parts:
        if isinstance(part, Hole):
            pieces.append(part)
        else:
            pieces += _substituted(part, request, wild=wild)
    return join(pieces)


def _read(part: str | Hole, *, wild: bool) -> tuple[Piece, ...]:
    return glob(part).pieces if wild and isinstance(part, str) else (part,)


def _substituted(text: str, request: Request, *, wild: bool) -> Iterator[Piece]:
    end = 0
    for found in _VARIABLE.finditer(text):
        yield from _read(text[end : found.start()], wild=wild)
        yield found[1] if found[1] in _SIGNS else _value(found[1], request)
        end = found.end()
    yield from _read(text[end:], wild=wild)


def _value(content: str, request: Request) -> Piece:
    with_default = _DEFAULT.fullmatch(content)
    key, default = (with_default[1], with_default[2]) if with_default else (content.strip(), None)
    match request.value(key):
        case (str() as only,):
            return only
        case Absence.MISSING:
            return Hole(f"${{{key}}}", "variable") if default is None else default
        case _:  # unknown, or several values, of which AWS does not say which one stands here
            return Hole(f"${{{key}}}", "key")
