"""What people state and what was seen, looked up for one stack.

A statement opens a gate only for the backends it covers: every key of its `of` must match. What was seen wins
over what is stated, and a statement past its last day says nothing.
"""

from __future__ import annotations

from collections.abc import Iterable
from fnmatch import fnmatchcase
from typing import Final

from msgspec.structs import replace

from migrate.model import Backend, Known, Lock, Outcome, Seen, Stated, Verdict, World

SUBJECTS: Final = ("bucket", "state", "repository", "role", "table")
"""What `of` may name. A role cannot be seen in a backend, so a statement about roles alone covers none."""


def covers(stated: Stated, backend: Backend, role: str = "") -> bool:
    """Whether the statement speaks of this backend, and of the role where one is asked about."""
    values = _values(backend) | ({"role": role} if role else {})
    return bool(stated.of) and all(
        subject in values and fnmatchcase(values[subject], glob) for subject, glob in stated.of.items()
    )


def _values(backend: Backend) -> dict[str, str]:
    found = {"repository": str(backend.repo), "state": str(backend.state)}
    bucket = backend.settings.get("bucket")
    if bucket and isinstance(bucket.value, Known):
        found["bucket"] = str(bucket.value.value)
    if backend.table and isinstance(backend.table.name, Known):
        found["table"] = backend.table.name.value
    return found


def judged(that: str, world: World, unknown: str, settle: str, *, of_table: bool = False) -> Verdict:
    """The verdict on a fact source cannot show: seen wins, stated of every backend, else unknown.

    Of a fact about the use of tables (`of_table`), what is stated of the table of a state is stated of its
    writers too that do not name it any more.
    """
    subject = str(world.stack.id)
    seen = seen_of(that, world)
    if seen:
        return _seen(that, subject, seen)
    because = stated_of(that, _in_its_table(world) if of_table else world)
    if because:
        return Verdict(that, subject, Outcome.HOLDS, because, by="stated")
    return Verdict(that, subject, Outcome.UNKNOWN, unknown, settle)


def against(that: str, world: World) -> list[Verdict]:
    """What was seen of the state and is short of "yes", if anything was."""
    seen = seen_of(that, world)
    said = [_seen(that, str(world.stack.id), seen)] if seen else []
    return [verdict for verdict in said if verdict.outcome is not Outcome.HOLDS]


def seen_of(that: str, world: World) -> list[Seen]:
    """What was seen of the state."""
    subject = str(world.stack.id)
    return [fact for fact in world.estate.seen if fact.that == that and fact.state == subject]


def stated_of(that: str, world: World, role: str = "") -> str:
    """Who says so of every backend of the state, or of a role there, and why; empty where nobody does."""
    stated = [_statement(that, backend, world, role) for backend in world.stack.backends]
    speakers = [fact for fact in stated if fact]
    if len(speakers) < len(stated):
        return ""
    return "; ".join(sorted({f"{fact.by}: {fact.because} (until {fact.until})" for fact in speakers}))


def _in_its_table(world: World) -> World:
    """The writers with the lockfile alone as though they locked in the table of those that still name one."""
    table = next((backend.table for backend in world.stack.backends if backend.table), None)
    backends = (
        replace(backend, table=table)
        if backend.lock == Known(Lock.LOCKFILE) and not backend.table
        else backend
        for backend in world.stack.backends
    )
    return replace(world, stack=replace(world.stack, backends=tuple(backends)))


def _seen(that: str, subject: str, seen: Iterable[Seen]) -> Verdict:
    """Any "no" decides; otherwise anything short of "yes" leaves it unknown."""
    answers = sorted(seen, key=lambda fact: (fact.holds is not False, fact.holds is True, fact.role))
    worst = answers[0]
    outcome = {True: Outcome.HOLDS, False: Outcome.BROKEN, None: Outcome.UNKNOWN}[worst.holds]
    because = f"{worst.role}, {worst.at}: {worst.because}"
    return Verdict(that, subject, outcome, because, "tfrelock explain " + that, by="seen")


def _statement(that: str, backend: Backend, world: World, role: str) -> Stated | None:
    return next(
        (
            fact
            for fact in world.estate.stated
            if fact.that == that and fact.until >= world.now and covers(fact, backend, role)
        ),
        None,
    )
