"""The least change of a version constraint that lets no release below a floor in.

What comes out admits exactly what went in, from the floor on. Where nothing would be left, or the text is not
understood, the answer is a refusal.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache

from msgspec import Struct
from msgspec.structs import replace

from migrate.versions.constraint import Constraints, Operator, Term, common, parse
from migrate.versions.release import Malformed, Release, Releases
from migrate.versions.tools import TITLES, Tool, newest

_LOWER_BOUNDS = (Operator.GREATER, Operator.GREATER_EQUAL, Operator.PESSIMISTIC)


class Refused(Struct, frozen=True):
    """Why constraints cannot be raised to a floor."""

    why: str


def admitted_below(releases: Releases, floor: Release, tool: Tool) -> Release | None:
    """A release below the floor that is admitted, or None: the newest known one, else the lowest."""
    below = releases.below(floor)
    return newest(tool, below) or below.lowest


@lru_cache(maxsize=1024)  # an estate has few different constraints and many roots
def raised(texts: tuple[str, ...], floor: Release, tool: Tool) -> tuple[str, ...] | Refused:
    """The constraints of one root, which must all hold, with their lower bounds raised to the floor.

    They are unchanged where they are high enough already.
    """
    read: list[Constraints] = []
    for text in texts:
        constraints = parse(text)
        if isinstance(constraints, Malformed):
            return Refused(constraints.why)
        read.append(constraints)
    admitted = common(read)
    if not admitted.since(floor):
        return _refusal(texts, admitted, floor, tool)
    if not admitted.below(floor):
        return texts
    return _raised(read, floor)


def _refusal(texts: Sequence[str], admitted: Releases, floor: Release, tool: Tool) -> Refused:
    known = newest(tool, admitted)
    named = " with ".join(f"`{text}`" for text in texts)
    why = f"{named} admits no {TITLES[tool]} from {floor} on"
    return Refused(f"{why}; the newest it admits is {known}" if known else why)


def _raised(old: Sequence[Constraints], floor: Release) -> tuple[str, ...]:
    new = [replace(each, terms=tuple(_raised_term(term, floor) for term in each.terms)) for each in old]
    bounded = None
    if common(new).below(floor):  # only `~>` came short of the floor, or nothing was a lower bound
        bounded = max((at for at, each in enumerate(new) if _lower_bounds(each.terms)), default=0)
    return tuple(
        _respelled(before, after, floor if at == bounded else None)
        for at, (before, after) in enumerate(zip(old, new, strict=True))
    )


def _lower_bounds(terms: Iterable[Term]) -> list[int]:
    return [at for at, term in enumerate(terms) if term.operator in _LOWER_BOUNDS]


def _raised_term(term: Term, floor: Release) -> Term:
    """The comparison with its lower bound at the floor; `~>` as near below it as its own places come."""
    if term.operator not in _LOWER_BOUNDS or not term.releases.below(floor):
        return term
    if term.operator is Operator.PESSIMISTIC:
        return replace(term, numbers=_places(floor)[: len(term.numbers)])
    return replace(term, operator=Operator.GREATER_EQUAL, numbers=_fewest(floor, len(term.numbers)))


def _places(floor: Release) -> tuple[int, int, int]:
    return (floor.major, floor.minor, floor.patch)


def _fewest(floor: Release, least: int) -> tuple[int, ...]:
    """The floor in as few numbers as mean the same, but not fewer than `least`."""
    numbers = _places(floor)
    return next(numbers[:count] for count in range(min(least, 3), 4) if not any(numbers[count:]))


def _respelled(old: Constraints, new: Constraints, bound: Release | None = None) -> str:
    """The old text with the comparisons that differ written anew, and one more where `bound` asks for it."""
    words = [
        old.text[before.start : before.end] if before == after else _spelled(after)
        for before, after in zip(old.terms, new.terms, strict=True)
    ]
    between = [
        old.text[left.end : right.start] for left, right in zip(old.terms, old.terms[1:], strict=False)
    ]
    if bound is not None:
        _add_bound(words, new.terms, bound, comma=between[0] if between else ", ")
    joined = "".join(word + gap for word, gap in zip(words, [*between, ""], strict=True))
    return old.text[: old.terms[0].start] + joined + old.text[old.terms[-1].end :]


def _spelled(term: Term) -> str:
    return term.operator.value + term.gap + ".".join(map(str, term.numbers))


def _add_bound(words: list[str], terms: Sequence[Term], bound: Release, comma: str) -> None:
    """Write `>= bound` behind the last lower bound, or before everything where there is none."""
    lower = _lower_bounds(terms)
    at = lower[-1] if lower else 0
    numbers = _fewest(bound, len(terms[at].numbers))
    word = _spelled(replace(terms[at], operator=Operator.GREATER_EQUAL, numbers=numbers))
    words[at] = f"{words[at]}{comma}{word}" if lower else f"{word}{comma}{words[at]}"
