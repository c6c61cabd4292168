"""A change of a lock that source does not show clearly."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from migrate.estate.changes import dropped, given_up, lock_of, renamed, stranded, swapped, taken_up
from migrate.exclusion import same_table
from migrate.model import Fix, Outcome, Severity, Transition, Verdict

NAME: Final = "unclear-change"
SEVERITY: Final[Severity] = "warning"
FIX: Final[Fix] = "none"
BLOCKS: Final[tuple[str, ...]] = ()
WHY: Final = "Where one side is unknown or mixed, nobody can say whether the change keeps all writers apart."
REMEDY: Final = (
    "Write bucket, key, dynamodb_table and use_lockfile as literals, or name the partial file in "
    ".tfrelock.yaml. Where a role or profile is new, see that the table is in its account."
)


def check_transition(transition: Transition, /) -> Iterable[Verdict]:
    if transition.before is None or transition.after is None:
        return
    was, now = lock_of(transition.before.stack), lock_of(transition.after.stack)
    changed = given_up(transition) or taken_up(transition)
    plainly_wrong = swapped(transition) or dropped(transition) or stranded(transition)
    because = ""
    if changed and not plainly_wrong and {was, now} & {"unknown", "mixed"}:
        because = f"from {was} to {now}"
    elif pair := next((pair for pair in renamed(transition) if same_table(*pair) == "unknown"), None):
        because = f"from {pair[0].place} to {pair[1].place}: whether these are one is not known"
    if because:
        where = transition.after.stack.backends[0].place
        yield Verdict(NAME, str(transition.after.stack.id), Outcome.UNKNOWN, because, REMEDY, where=where)
