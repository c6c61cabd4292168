"""What the text of a tool file, an image tag or a pipeline's input chooses, and the text that chooses better.

Three numbers choose one release. Fewer (`1.9`, `1.9.x`) or an npm range (`~1.9.7`) choose the newest release
of a minor, `1` and `^1.9` the newest of a major: the releases that one may turn out to be are its meaning.
npm's `~> 1.9` is its `~1.9`, which is not Terraform's. Of bounds (`>=1.5 <1.9`, with commas or without) any
release between them may be chosen. What chooses among all releases (`latest`) has no meaning that source
could tell.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Final

from migrate.versions.engines import against
from migrate.versions.release import Malformed, Range, Release, Releases, overlap
from migrate.versions.tools import KNOWN, Tool, newest

_CHOICE: Final = re.compile(
    r"(?P<sign>\^|~>?|=|)(?P<gap>\s*v?)(?P<numbers>\d{1,9}(?:\.\d{1,9}){0,2})(?P<rest>(?:\.[xX*])*)"
)
_BOUND: Final = re.compile(r"(?P<sign>[<>]=?)\s*v?(?P<numbers>\d{1,9}(?:\.\d{1,9}){0,2})(?:\s*,\s*|\s+|$)")
_LOWER: Final = re.compile(r"(?:\^|>=)\s*v?(?P<numbers>\d{1,9}(?:\.\d{1,9}){0,2})")


@cache
def chosen(text: str) -> Releases | Malformed:
    """The releases that a text may choose: one, those of a minor or those of a major."""
    release = Release.parse(text)
    if isinstance(release, Release):
        return Releases.only(release)
    found = _CHOICE.fullmatch(text)
    if found is None:
        return _between(text) or Malformed(f"{text}, which is chosen at run time")
    series = _series(found["numbers"])
    sign, places = found["sign"], found["numbers"].count(".") + 1
    if places == 1 or (sign == "^" and series.low.major > 0):
        return Releases(Range(series.low, Release(series.low.major + 1, 0, 0)))
    if places == 3 and sign in ("~", "~>", "^"):
        return Releases(Range(series.low, Release(series.low.major, series.low.minor + 1, 0)))
    return Releases(series)


def _series(numbers: str) -> Range:
    """The releases that begin with one to three numbers."""
    major, minor, patch = (*map(int, numbers.split(".")), 0, 0)[:3]
    low = Release(major, minor, patch)
    following = (Release(major + 1, 0, 0), Release(major, minor + 1, 0), low.following)
    return Range(low, following[numbers.count(".")])


def _between(text: str) -> Releases | None:
    """The releases within bounds; None where the text is no list of bounds, or nothing is within them.

    npm's `<=1.5` takes 1.5.7 in, Terraform's does not: who reads the text is not known, so it may be.
    """
    bounds = list(_BOUND.finditer(text))
    if not bounds or "".join(bound[0] for bound in bounds) != text:
        return None
    return overlap([_bounded(bound["sign"], _series(bound["numbers"])) for bound in bounds]) or None


def _bounded(sign: str, series: Range) -> Releases:
    match sign:
        case "<":
            return Releases(Range(high=series.low))
        case "<=":
            return Releases(Range(high=series.high))
        case ">" if series == Range(series.low, series.low.following):
            return Releases(Range(series.low.following))
        case _:
            return Releases(Range(series.low))


def better(text: str, floor: Release, tool: Tool, admitted: Releases) -> str | None:
    """The text that chooses a good release from the floor on: `text` itself where it does.

    It goes no further than it must: to the newest patch of the floor's minor, or of its own where that is
    above the floor and broken. What may choose releases on both sides of the floor keeps those above. None
    where nothing known that is `admitted` would do, or where the manner of `text` cannot say so.
    """
    meant = chosen(text)
    if isinstance(meant, Malformed):
        return None
    if straddles(meant, floor):
        return _from_floor(text, floor, meant.since(floor)) if meant.since(floor) & admitted else None
    now = newest(tool, meant) or meant.lowest
    if now and not meant.below(floor) and is_good(tool, now):
        return text
    to = best(tool, max(floor, meant.lowest or floor), admitted)
    return _spelled(text, to) if to else None


def straddles(meant: Releases, floor: Release) -> bool:
    """Whether what a text may choose stands on both sides of a floor."""
    return bool(meant.below(floor)) and bool(meant.since(floor))


def _from_floor(text: str, floor: Release, above: Releases) -> str | None:
    """The text with its lower bound at the floor (`^1.9` → `^1.11`), where it then means what is `above`."""
    found = _LOWER.search(text)
    if found is None:
        return None
    for places in range(found["numbers"].count(".") + 1, 4):
        raised = ".".join(str(floor).split(".")[:places])
        new = text[: found.start("numbers")] + raised + text[found.end("numbers") :]
        if chosen(new) == above:
            return new
    return None


def is_good(tool: Tool, release: Release) -> bool:
    """Whether the engine table has nothing against a release."""
    return not against(tool, Releases.only(release))


@cache
def best(tool: Tool, least: Release, admitted: Releases) -> Release | None:
    """The newest patch of the first minor that has a good release from `least` on."""
    good = [
        release
        for release in KNOWN[tool]
        if release >= least and release in admitted and is_good(tool, release)
    ]
    return max((r for r in good if (r.major, r.minor) == (good[0].major, good[0].minor)), default=None)


def _spelled(text: str, release: Release) -> str:
    """A release in as many places as the text has, after its sign."""
    found = _CHOICE.match(text)
    if found is None:
        return str(release)
    places = found["numbers"].count(".") + 1
    numbers = ".".join(str(release).split(".")[:places])
    return f"{found['sign']}{found['gap']}{numbers}{found['rest']}"
