"""Three-valued truth: unknown is an answer. `min` is and, `max` is or."""

from __future__ import annotations

from collections.abc import Iterable
from enum import IntEnum


class Truth(IntEnum):
    FALSE = 0
    UNKNOWN = 1
    TRUE = 2

    def __invert__(self) -> Truth:
        return _OPPOSITE[self]


FALSE, UNKNOWN, TRUE = Truth.FALSE, Truth.UNKNOWN, Truth.TRUE
_OPPOSITE = (TRUE, UNKNOWN, FALSE)


def truth(plain: bool) -> Truth:  # noqa: FBT001
    return TRUE if plain else FALSE


def every(truths: Iterable[Truth]) -> Truth:
    """And: false at the first that is false; true of none at all."""
    answer = TRUE
    for one in truths:
        if one is FALSE:
            return FALSE
        answer = min(answer, one)
    return answer


def some(truths: Iterable[Truth]) -> Truth:
    """Or: true at the first that is true; false of none at all."""
    answer = FALSE
    for one in truths:
        if one is TRUE:
            return TRUE
        answer = max(answer, one)
    return answer
