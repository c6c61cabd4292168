"""Gate of dual-lock: every role that runs this root may put, get and delete the lock object."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from migrate.callers import THAT, callers
from migrate.facts import stated_of
from migrate.model import Fix, Outcome, Severity, Shown, Verdict, World

NAME: Final = THAT
SEVERITY: Final[Severity] = "warning"
FIX: Final[Fix] = "review"
BLOCKS: Final[tuple[str, ...]] = ("dual-lock",)
WHY: Final = (
    "The lock is an object of its own beside the state. A role that may not put it fails its next plan; "
    "one that may put and not delete it leaves a lock nobody can release. Source shows that a grant is "
    "merged, not that it is applied: it can close this gate, and never open it. Each role that a workflow or "
    "a backend names must be seen or stated, not only one of them."
)
REMEDY: Final = (
    "tfrelock iam check names the statement; tfrelock edit --phase iam shows the grant; when it "
    "is applied, state it in facts: that: callers-may-lock. Of a role whose policy is not among the given "
    "repositories: give the one that makes it, or run tfrelock iam check --self as that role."
)


def check(world: World, /) -> Iterable[Verdict]:
    """What was seen of each role; else what source has against it; else what was stated."""
    subject, rows = str(world.stack.id), callers(world)
    broken = [one for one in rows if one.holds is False]
    if broken:
        yield from (_broken(subject, one) for one in broken)
    else:
        yield _open(world, rows)


_SETTLE: Final = "tfrelock iam check --self; or tfrelock edit --phase iam, then facts: callers-may-lock"
_CURE: Final = "tfrelock iam check says why; tfrelock edit --phase iam"
_EXPLAIN: Final = "tfrelock explain callers-may-lock"
_MOST: Final = 3


def _broken(subject: str, one: Shown) -> Verdict:
    settle = _EXPLAIN if one.by == "seen" else _CURE
    return Verdict(NAME, subject, Outcome.BROKEN, _told(one), settle, one.by, one.where)


def _open(world: World, rows: Sequence[Shown]) -> Verdict:
    """Nothing is against it: whether each role that is known to take the lock was seen or stated."""
    subject = str(world.stack.id)
    asked = next((one for one in rows if one.by == "seen" and one.holds is None), None)
    if asked:
        return Verdict(NAME, subject, Outcome.UNKNOWN, _told(asked), _EXPLAIN, "seen")
    running = [one for one in rows if one.runs or one.by == "seen"]
    waiting = [one for one in running if one.by == "source"]
    if running and all(one.by == "seen" for one in running):
        return Verdict(NAME, subject, Outcome.HOLDS, _told(running[0]), by="seen")
    whole = stated_of(NAME, world)
    stated = next((one.because for one in running if one.by == "stated"), whole)
    if stated and (whole or not waiting):
        return Verdict(NAME, subject, Outcome.HOLDS, stated, by="stated")
    return Verdict(NAME, subject, Outcome.UNKNOWN, _unknown(world, rows, waiting), _settle(waiting))


def _told(one: Shown) -> str:
    """As of what was seen: `ROLE, TIME: …`."""
    return f"{one.role}, {one.because}" if one.by == "seen" else f"{one.role}: {one.because}"


def _unknown(world: World, rows: Sequence[Shown], waiting: Sequence[Shown]) -> str:
    repos = ", ".join(sorted({str(backend.repo) for backend in world.stack.backends}))
    doubts = waiting or [one for one in rows if one.holds is None][:1]
    told = [f"{one.role}: {one.because}" for one in doubts[:_MOST]]
    more = [f"and {len(doubts) - _MOST} more roles"] if len(doubts) > _MOST else []
    asked = f"nobody said whether the roles of {repos or 'its writers'} may write the lock"
    return "; ".join((*told, *more, asked))


def _settle(waiting: Sequence[Shown]) -> str:
    places = [f"{one.role} ({one.where})" for one in waiting[:1]]
    return f"as {places[0]}: {_SETTLE}" if places else _SETTLE
