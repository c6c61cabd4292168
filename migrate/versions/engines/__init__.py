"""The engine table: which releases take the lockfile, which of them break something, and the floors.

One module per tool holds its rows; a new fact is one more row there.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from migrate.versions.engines import opentofu, terraform, terragrunt
from migrate.versions.engines.fact import EngineFact
from migrate.versions.release import Release, Releases
from migrate.versions.tools import Tool

FACTS: Final[Mapping[Tool, Sequence[EngineFact]]] = {
    "terraform": terraform.FACTS,
    "opentofu": opentofu.FACTS,
    "terragrunt": terragrunt.FACTS,
}

FIRST_LOCKFILE: Final[Mapping[Tool, Release]] = {
    "terraform": Release(1, 10, 0),
    "opentofu": Release(1, 10, 0),
    "terragrunt": Release(0, 82, 4),
}
"""The first release of each tool that takes `use_lockfile`: no floor may be lower."""

FLOORS: Final[Mapping[Tool, Release]] = {
    "terraform": Release(1, 11, 0),
    "opentofu": Release(1, 10, 2),
    "terragrunt": Release(0, 82, 4),
}
"""The floors we raise constraints to unless told otherwise."""


def against(tool: Tool, releases: Releases) -> tuple[EngineFact, ...]:
    """What speaks against admitting these releases: one of them lacks the lockfile, or breaks something."""
    return tuple(
        fact
        for fact in FACTS[tool]
        if fact.bearing in ("lacks", "avoid") and releases & Releases(fact.releases)
    )
