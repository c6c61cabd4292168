"""A change that lets older releases in where the lockfile is already in use."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from migrate.estate.changes import key
from migrate.estate.floors import Below, Unsaid, below
from migrate.model import Backend, Fix, Known, Lock, Outcome, Severity, Transition, Verdict, World

NAME: Final = "floor-lowered"
SEVERITY: Final[Severity] = "error"
FIX: Final[Fix] = "none"
BLOCKS: Final[tuple[str, ...]] = ()
WHY: Final = (
    "A release below the floor refuses use_lockfile in a fresh directory and ignores it in an "
    "initialised one."
)
REMEDY: Final = "Keep required_version at or above the floor."


_NEW: Final = (Known(Lock.BOTH), Known(Lock.LOCKFILE))


def check_transition(transition: Transition, /) -> Iterable[Verdict]:
    if transition.before is None or transition.after is None:
        return
    after = transition.after
    was_open = {key(b): _open(b, transition.before) for b in transition.before.stack.backends}
    for backend in after.stack.backends:
        lowered = _open(backend, after) and not was_open.get(key(backend), any(was_open.values()))
        if lowered and backend.lock in _NEW:
            because = "required_version admits releases below the floor again"
            yield Verdict(NAME, str(after.stack.id), Outcome.BROKEN, because, REMEDY, where=backend.place)


def _open(backend: Backend, world: World) -> bool:
    """What is not known beside it, such as what a pipeline installs, is as open before as after."""
    return any(isinstance(lapse, Below | Unsaid) for lapse in below(backend, world.estate))
