"""What a reader of another state says: whether it checks the table's digest row, and which states it may
mean.
"""

from __future__ import annotations

from migrate.estate.effective import joined, text
from migrate.model import Known, Site, StateId, Unresolved


def names_table(site: Site) -> bool:
    """Whether this reader or writer names a lock table (an expression is one too)."""
    return text(joined([site]), "dynamodb_table") is not None


def may_read(reader: Site, state: StateId | Unresolved) -> bool:
    """Whether a reader whose state is not known may mean this one: no part that is known differs."""
    if isinstance(state, Unresolved):
        return True
    settings = joined([reader])
    given = {"bucket": state.bucket, "key": state.key}
    return all(
        not isinstance(value, Known) or value.value == given[name]
        for name in given
        if (value := text(settings, name))
    )
