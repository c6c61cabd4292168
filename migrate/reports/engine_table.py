"""The engine table for people: what each release of each tool does to the migration, with sources."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from migrate.reports.layout import Line, Prose, laid
from migrate.versions import FACTS, FIRST_LOCKFILE, FLOORS, TITLES, Tool

_INDENT: Final = 10


def render(columns: int | None = None) -> str:
    """One paragraph for each fact, grouped by tool; what stands against a release comes first."""
    return "\n".join(laid(_tool(tool), columns) for tool in FACTS)


def _tool(tool: Tool) -> Iterator[Line]:
    yield f"{TITLES[tool]}: use_lockfile from {FIRST_LOCKFILE[tool]} on, floor {FLOORS[tool]}"
    order = ("lacks", "avoid", "prepare", "know")
    for fact in sorted(FACTS[tool], key=lambda fact: order.index(fact.bearing)):
        yield Prose(f"  {fact.bearing:<8}", f"{fact.span} {fact.what}: {fact.consequence}", _INDENT)
        yield Prose(" " * _INDENT, ", ".join(fact.sources), _INDENT)
