"""Terraform's constraint language, as `required_version` speaks it.

Grammar and meaning are those of hashicorp/go-version 1.6 to 1.9 (constraint.go, version.go), which
Terraform and OpenTofu use as it is. Three of its habits surprise people: `~> 1` has no upper bound, a
fourth number is allowed and lies between two releases, and a leading `v` is allowed. A prerelease in a
constraint is an error whichever release reads it (hashicorp/terraform:internal/configs/module.go,
CheckCoreVersionRequirements).
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from enum import Enum
from functools import lru_cache

from msgspec import Struct

from migrate.versions.release import EVERY_RELEASE, Malformed, Range, Release, Releases, overlap

_SPACE = "\t\n\f\r "  # Go's \s
_WORD = "[0-9A-Za-z~-]"
_TERM = re.compile(
    rf"(?P<operator><=|>=|!=|~>|<|>|=|)(?P<gap>[{_SPACE}]*v?)(?P<numbers>[0-9]+(?:\.[0-9]+)*)"
    rf"(?P<stage>[A-Za-z~-]{_WORD}*(?:\.{_WORD}+)*)?(?:\+{_WORD}+(?:\.{_WORD}+)*)?"
)
_LARGEST = str(2**63 - 1)  # Go's int64


class Operator(Enum):
    EQUAL = "="
    NOT_EQUAL = "!="
    GREATER = ">"
    GREATER_EQUAL = ">="
    LESS = "<"
    LESS_EQUAL = "<="
    PESSIMISTIC = "~>"


class Term(Struct, frozen=True):
    """One comparison of a constraint, such as `>= 1.5`.

    `gap` is what stands between operator and number (spaces, a `v`); `start` and `end` say where in the
    text of the constraint the comparison stands.
    """

    operator: Operator
    gap: str
    numbers: tuple[int, ...]
    start: int
    end: int

    @property
    def releases(self) -> Releases:
        """The releases that this one comparison admits."""
        match self.operator:
            case Operator.EQUAL:
                return Releases(Range(self._least, self._after))
            case Operator.NOT_EQUAL if self._least == self._after:
                return EVERY_RELEASE
            case Operator.NOT_EQUAL:
                return Releases(Range(high=self._least), Range(low=self._after))
            case Operator.GREATER:
                return Releases(Range(low=self._after))
            case Operator.GREATER_EQUAL:
                return Releases(Range(low=self._least))
            case Operator.LESS:
                return Releases(Range(high=self._least))
            case Operator.LESS_EQUAL:
                return Releases(Range(high=self._after))
            case Operator.PESSIMISTIC:
                return self._pessimistic

    @property
    def _least(self) -> Release:
        """The least release that is not below the number: the next one where a fourth number says more."""
        return self._after if any(self.numbers[3:]) else self._three

    @property
    def _after(self) -> Release:
        """The least release above the number."""
        return self._three.following

    @property
    def _three(self) -> Release:
        major, minor, patch = (*self.numbers, 0, 0)[:3]
        return Release(major, minor, patch)

    @property
    def _pessimistic(self) -> Releases:
        low = self._three
        match len(self.numbers):
            case 1:
                return Releases(Range(low))
            case 2:
                return Releases(Range(low, Release(low.major + 1, 0, 0)))
            case 3:
                return Releases(Range(low, Release(low.major, low.minor + 1, 0)))
            case _:
                return Releases()


class Constraints(Struct, frozen=True):
    """The comparisons of one text, all of which must hold."""

    text: str
    terms: tuple[Term, ...]

    @property
    def releases(self) -> Releases:
        """The releases that the whole text admits."""
        return overlap([term.releases for term in self.terms])


@lru_cache(maxsize=1024)  # an estate has few different constraints and many roots
def parse(text: str) -> Constraints | Malformed:
    """What a constraint says, or why Terraform would call it invalid."""
    terms: list[Term] = []
    at = 0
    for piece in text.split(","):
        term = _term(piece, at)
        if isinstance(term, Malformed):
            return term
        terms.append(term)
        at += len(piece) + 1
    return Constraints(text, tuple(terms))


def common(constraints: Iterable[Constraints]) -> Releases:
    """The releases that all of them admit: what a root with several `required_version` may run on."""
    return overlap([each.releases for each in constraints])


def _term(piece: str, at: int) -> Term | Malformed:
    """One piece between commas, which starts at `at` of the whole text."""
    bare = piece.strip(_SPACE)
    found = _TERM.fullmatch(bare)
    if found is None:
        return Malformed(f"{_shown(bare)} is no version constraint")
    if found["stage"]:
        return Malformed(f"{_shown(bare)} names a prerelease, which required_version does not take")
    numbers = [digits.lstrip("0") or "0" for digits in found["numbers"].split(".")]
    if any((len(digits), digits) > (len(_LARGEST), _LARGEST) for digits in numbers):
        return Malformed(f"{_shown(bare)} has a number above {_LARGEST}")
    start = at + len(piece) - len(piece.lstrip(_SPACE))
    return Term(
        Operator(found["operator"] or "="), found["gap"], tuple(map(int, numbers)), start, start + len(bare)
    )


def _shown(piece: str) -> str:
    return repr(piece if len(piece) <= 60 else f"{piece[:60]}…")
