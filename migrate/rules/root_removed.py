"""A change that removes the last writer of a state."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from migrate.model import Fix, Outcome, Severity, Transition, Verdict

NAME: Final = "root-removed"
SEVERITY: Final[Severity] = "note"
FIX: Final[Fix] = "none"
BLOCKS: Final[tuple[str, ...]] = ()
WHY: Final = "The state stays in its bucket, and other branches and checkouts may still write it."
REMEDY: Final = "If the root is gone for good, destroy or archive its state."


def check_transition(transition: Transition, /) -> Iterable[Verdict]:
    if transition.after is None and transition.before is not None:
        where = transition.before.stack.backends[0].place
        because = "no root writes this state any more"
        yield Verdict(NAME, str(transition.before.stack.id), Outcome.BROKEN, because, REMEDY, where=where)
