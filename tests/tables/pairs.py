"""What is asked of every kind of code that makes lock tables."""

from __future__ import annotations

from migrate.model import Definition, Known
from migrate.tables import TableSource
from tests.pairs import source

Told = tuple[str, int, str | None, tuple[str, ...]]


def found(plug: TableSource, path: str, text: str) -> tuple[Definition, ...]:
    given = source(path, text)
    assert plug.claims(given.path, text[:512].encode())
    return plug.find(given).items


def told(plug: TableSource, path: str, text: str) -> list[Told]:
    """Of each definition its name in code, its line, the table if it is known, and its guards."""
    return [
        (one.name, one.line, one.table.value if isinstance(one.table, Known) else None, one.guards)
        for one in found(plug, path, text)
    ]
