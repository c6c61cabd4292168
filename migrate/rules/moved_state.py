"""A change that moves a state and changes its lock at once."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from migrate.estate.changes import given_up, taken_up
from migrate.model import Fix, Outcome, Severity, Stack, Transition, Verdict

NAME: Final = "moved-state"
SEVERITY: Final[Severity] = "error"
FIX: Final[Fix] = "none"
BLOCKS: Final[tuple[str, ...]] = ()
WHY: Final = (
    "With another bucket, key, region or prefix, init -reconfigure silently starts with an empty state, "
    "and the old lock protects the old place only."
)
REMEDY: Final = "Two changes: move the state first (terraform init -migrate-state), then change its lock."


_PLACE: Final = ("bucket", "key", "region", "workspace_key_prefix")


def check_transition(transition: Transition, /) -> Iterable[Verdict]:
    if transition.before is None or transition.after is None:
        return
    before, after = transition.before.stack, transition.after.stack
    if not (given_up(transition) and taken_up(transition)):
        return
    names = [name for name in _PLACE if _values(before, name) != _values(after, name)]
    if transition.moved or names:
        because = f"{', '.join(names) or 'the state'} changed together with the lock"
        where = after.backends[0].place
        yield Verdict(NAME, str(after.id), Outcome.BROKEN, because, REMEDY, where=where)


def _values(stack: Stack, name: str) -> set[str]:
    """What the state's backends say of one setting; absent ones say nothing."""
    settings = (backend.settings.get(name) for backend in stack.backends)
    return {str(setting.value) for setting in settings if setting}
