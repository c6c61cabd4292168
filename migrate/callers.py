"""Who takes the lock of a state, and how it is known that each of them may: by source, stated or seen."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from msgspec.structs import replace

from migrate.facts import seen_of, stated_of
from migrate.model import Seen, Shown, World

THAT: Final = "callers-may-lock"


def callers(world: World) -> tuple[Shown, ...]:
    """Every role that source knows of, with what was seen of it or stated, then those that were only seen."""
    rows = world.estate.shown.get(str(world.stack.id), ())
    seen = {_name(fact.role): fact for fact in _worst_last(seen_of(THAT, world))}
    others = {name: fact for name, fact in seen.items() if name not in {row.name for row in rows}}
    hidden = {row.role for row in rows if row.runs and not row.name}
    stand_ins = others if len(others) >= len(hidden) else {}
    told = [_answered(row, seen, stand_ins, world) for row in rows]
    return (*told, *(_only_seen(name, fact) for name, fact in sorted(others.items())))


def _worst_last(seen: Sequence[Seen]) -> list[Seen]:
    return sorted(seen, key=lambda fact: (fact.holds is not True, fact.holds is not None))


def _answered(row: Shown, seen: Mapping[str, Seen], stand_ins: Mapping[str, Seen], world: World) -> Shown:
    """The row with the best that is known: seen before stated, and a "no" of source before what is stated.

    Roles that expressions name are taken for those that were seen, where these are as many.
    """
    fact = seen.get(row.name)
    if fact:
        return replace(row, holds=fact.holds, by="seen", because=_said(fact))
    if row.runs and not row.name and stand_ins:
        names = ", ".join(sorted(stand_ins))
        return replace(row, holds=True, by="seen", because=f"taken to be of those that were seen: {names}")
    stated = stated_of(THAT, world, row.name) if row.holds is not False and row.name else ""
    return replace(row, holds=True, by="stated", because=stated) if stated else row


def _only_seen(name: str, fact: Seen) -> Shown:
    return Shown(fact.state, fact.role, fact.holds, _said(fact), None, "seen", name, runs=True)


def _said(fact: Seen) -> str:
    return f"{fact.at}: {fact.because}"


def _name(role: str) -> str:
    """A role's or user's own name, of its ARN, of that of a session of it, or of `role/NAME`."""
    *kind, last = role.split("/")
    return kind[1] if len(kind) > 1 and kind[0].endswith(":assumed-role") else last
