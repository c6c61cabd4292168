"""Which states lock in the table that a place in code makes."""

from __future__ import annotations

from collections.abc import Iterator

from migrate.model import Definition, Estate, Known, Stack


def locked_in(definition: Definition, estate: Estate) -> Iterator[Stack]:
    """The states whose configuration names this table; whose account it is in source does not say."""
    if isinstance(definition.table, Known):
        table = Known(definition.table.value)
        for stack in estate.stacks:
            if any(b.table and b.table.name == table for b in stack.backends):
                yield stack


def named(estate: Estate) -> frozenset[str]:
    """The names of all tables that a state here locks in, or that code here makes to lock in."""
    tables = [backend.table.name for backend in estate.backends if backend.table]
    made = [definition.table for definition in estate.definitions]
    return frozenset(table.value for table in (*tables, *made) if isinstance(table, Known))


def locks_itself(definition: Definition, estate: Estate) -> bool:
    """Whether the root that makes the table locks in it."""
    roots = {(b.repo, b.root) for stack in locked_in(definition, estate) for b in stack.backends}
    return (definition.repo, definition.path.parent) in roots
