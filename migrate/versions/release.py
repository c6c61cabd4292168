"""Releases of a tool, and sets of them: what a version constraint admits is a set of releases."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import total_ordering

from msgspec import Struct

_RELEASE = re.compile(
    r"v?(0|[1-9][0-9]{0,8})\.(0|[1-9][0-9]{0,8})\.(0|[1-9][0-9]{0,8})(?:-([0-9A-Za-z.-]+))?"
)


class Malformed(Struct, frozen=True):
    """A text that is not what it stands for; `why` says what is wrong with it."""

    why: str


@total_ordering
@dataclass(frozen=True, slots=True)
class Release:
    """One release: three numbers, and for what came before the final one a `stage` such as `rc1`."""

    major: int
    minor: int
    patch: int
    stage: str = ""

    @classmethod
    def parse(cls, text: str) -> Release | Malformed:
        """`1.9.8`, `v1.9.8` or `1.11.0-rc1`. `1.9`, `latest` and ranges name no single release: Malformed."""
        found = _RELEASE.fullmatch(text)
        if found is None:
            return Malformed(f"{text!r} does not name one release by its three numbers")
        major, minor, patch, stage = found.groups(default="")
        return cls(int(major), int(minor), int(patch), stage)

    @property
    def core(self) -> Release:
        """What the tools compare with `required_version`: a stage does not count there."""
        return Release(self.major, self.minor, self.patch)

    @property
    def following(self) -> Release:
        """The least release after this one: its next patch."""
        return Release(self.major, self.minor, self.patch + 1)

    def __lt__(self, other: Release) -> bool:
        return self._order < other._order

    @property
    def _order(self) -> tuple[int, int, int, bool, str]:
        return (self.major, self.minor, self.patch, not self.stage, self.stage)

    def __str__(self) -> str:
        numbers = f"{self.major}.{self.minor}.{self.patch}"
        return f"{numbers}-{self.stage}" if self.stage else numbers


FIRST = Release(0, 0, 0)


class Range(Struct, frozen=True):
    """The releases from `low` up to, but not including, `high`; without a `high`, all that follow."""

    low: Release = FIRST
    high: Release | None = None

    def __contains__(self, release: Release) -> bool:
        return self.low <= release.core and (self.high is None or release.core < self.high)

    def __bool__(self) -> bool:
        return self.high is None or self.low < self.high

    def ends_before(self, other: Range) -> bool:
        return self.high is not None and (other.high is None or self.high < other.high)

    def __and__(self, other: Range) -> Range:
        highs = [high for high in (self.high, other.high) if high is not None]
        return Range(max(self.low, other.low), min(highs, default=None))


@dataclass(frozen=True, slots=True, init=False)
class Releases:
    """A set of releases: ranges that ascend and do not touch, so that equal sets are equal values.

    It is a set of all releases there could ever be, not of those that were made.
    """

    ranges: tuple[Range, ...]

    def __init__(self, *ranges: Range) -> None:
        object.__setattr__(self, "ranges", tuple(each for each in ranges if each))

    def __contains__(self, release: Release) -> bool:
        return any(release in each for each in self.ranges)

    def __bool__(self) -> bool:
        return bool(self.ranges)

    def __and__(self, other: Releases) -> Releases:
        if other is EVERY_RELEASE:
            return self
        both: list[Range] = []
        mine, theirs = 0, 0
        while mine < len(self.ranges) and theirs < len(other.ranges):
            left, right = self.ranges[mine], other.ranges[theirs]
            both.append(left & right)
            if left.ends_before(right):
                mine += 1
            else:
                theirs += 1
        return Releases(*both)

    def below(self, release: Release) -> Releases:
        return self & Releases(Range(high=release))

    def since(self, release: Release) -> Releases:
        return self & Releases(Range(low=release))

    @classmethod
    def only(cls, release: Release) -> Releases:
        return cls(Range(release.core, release.following))

    @property
    def lowest(self) -> Release | None:
        return next((each.low for each in self.ranges), None)


EVERY_RELEASE = Releases(Range())


def overlap(sets: Sequence[Releases]) -> Releases:
    """The releases that are in all of the sets, half with half: thousands of `!=` are read in a second."""
    if len(sets) < 2:
        return sets[0] if sets else EVERY_RELEASE
    half = len(sets) // 2
    return overlap(sets[:half]) & overlap(sets[half:])
