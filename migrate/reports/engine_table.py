"""The engine table for people: what each release of each tool does to the migration, with sources."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from typing import Final

from migrate.versions import FACTS, FIRST_LOCKFILE, FLOORS, TITLES, EngineFact, Tool

_WIDTH: Final = 100
_INDENT: Final = " " * 10


def render() -> str:
    """One paragraph for each fact, grouped by tool; what stands against a release comes first."""
    return "\n\n".join("\n".join(_tool(tool)) for tool in FACTS)


def _tool(tool: Tool) -> Iterator[str]:
    yield f"{TITLES[tool]}: use_lockfile from {FIRST_LOCKFILE[tool]} on, floor {FLOORS[tool]}"
    order = ("lacks", "avoid", "prepare", "know")
    for fact in sorted(FACTS[tool], key=lambda fact: order.index(fact.bearing)):
        yield _fact(fact)


def _fact(fact: EngineFact) -> str:
    said = textwrap.fill(
        f"{fact.span} {fact.what}: {fact.consequence}",
        _WIDTH,
        initial_indent=f"  {fact.bearing:<8}",
        subsequent_indent=_INDENT,
    )
    return f"{said}\n{_INDENT}{', '.join(fact.sources)}"
