"""The shape of one row of the engine table."""

from __future__ import annotations

from typing import Literal, TypeAlias

from msgspec import Struct

from migrate.versions.release import FIRST, Range, Release
from migrate.versions.tools import TITLES, Tool

Bearing: TypeAlias = Literal[
    "lacks",  # does not take the lockfile
    "avoid",  # takes it and breaks something
    "prepare",  # wants a change before it may run
    "know",  # breaks nothing
]


class EngineFact(Struct, frozen=True):
    """What the releases from `since` up to, not including, `until` do, and what that means for the migration.

    Each of `sources` is an issue or pull request (`owner/repo#number`) or a file there (`owner/repo:path`).
    """

    name: str
    tool: Tool
    bearing: Bearing
    what: str
    consequence: str
    sources: tuple[str, ...]
    since: Release = FIRST
    until: Release | None = None

    @property
    def releases(self) -> Range:
        return Range(self.since, self.until)

    def __str__(self) -> str:
        return f"{TITLES[self.tool]} {self.span} {self.what}: {self.consequence} ({', '.join(self.sources)})"

    @property
    def span(self) -> str:
        """The releases in words."""
        if self.until is None:
            return "in every release" if self.since == FIRST else f"from {self.since} on"
        return f"before {self.until}" if self.since == FIRST else f"from {self.since}, before {self.until},"
