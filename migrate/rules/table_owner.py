"""Code that makes a lock table: it goes last of all."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from migrate.estate.tables import locked_in, locks_itself
from migrate.model import Definition, Estate, Fact, Fix, Known, Outcome, Severity, Verdict

NAME: Final = "table-owner"
SEVERITY: Final[Severity] = "note"
FIX: Final[Fix] = "none"
BLOCKS: Final[tuple[str, ...]] = ()
WHY: Final = (
    "The table goes last of all, when every client of every state that locks in it has retired it; deleted "
    "earlier, or by a root that still locks in it, it takes locks away from runs that hold them. Its code is "
    "never edited here."
)
REMEDY: Final = (
    "Leave it until plan shows no state that uses the table; then take it out in a change of its own, after "
    "what guards it was lifted, with the names that carry it."
)


def check_estate(estate: Estate, /) -> Iterable[Verdict]:
    for definition in estate.definitions:
        because = "; ".join(_said(definition, estate))
        yield Verdict(NAME, definition.id, Outcome.BROKEN, because, definition.remedy, where=definition.place)


def _said(definition: Definition, estate: Estate) -> Iterator[str]:
    states = len(list(locked_in(definition, estate)))
    used = f", which {states} states here lock in" if states > 1 else ", which 1 state here locks in"
    yield f"{definition.name} makes {_named(definition.table)}{used if states else ''}"
    if locks_itself(definition, estate):
        yield "its own root locks in it: that root retires first, and the table goes in a later change"
    if definition.guards:
        yield f"with {', '.join(definition.guards)}"
    dead = [f"{one.kind} {one.name} ({one.place})" for one in definition.carriers if not one.followed]
    if dead:
        yield f"nothing read here follows {', '.join(dead)}"


def _named(table: Fact[str]) -> str:
    if isinstance(table, Known):
        return f"the lock table {table.value}"
    return f"a lock table, named {table.why}"
