"""A place that names a lock in a form this version does not read."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from migrate.model import Estate, Fix, Outcome, Severity, Verdict

NAME: Final = "not-covered"
SEVERITY: Final[Severity] = "warning"
FIX: Final[Fix] = "none"
BLOCKS: Final[tuple[str, ...]] = ("retire",)
WHY: Final = "While a place that may set a lock is not read, nobody can say that nothing else uses the table."
REMEDY: Final = (
    "Look at the place, edit it by hand in the same steps, and silence it under ignore in .tfrelock.yaml; "
    "retire asks for facts: table-known besides."
)


def check_estate(estate: Estate, /) -> Iterable[Verdict]:
    for mention in estate.mentions:
        if not mention.accounted:
            because = f"{mention.token} where nothing reads it ({mention.looks_like})"
            yield Verdict(
                NAME, str(mention.where.path), Outcome.UNKNOWN, because, REMEDY, where=mention.where
            )
    for idle in estate.unread:
        where = idle.site.place
        yield Verdict(NAME, str(where.path), Outcome.UNKNOWN, idle.why, REMEDY, where=where)
