"""What a reader of another state says of the table whose digest row it checks."""

from __future__ import annotations

from migrate.estate.effective import joined, text
from migrate.model import Site
from migrate.wishes import TABLE


def names_table(site: Site) -> bool:
    """Whether this reader or writer names a lock table (an expression is one too)."""
    return text(joined([site]), "dynamodb_table") is not None


def names_lock(site: Site) -> bool:
    """Whether it names a table or the lockfile, whatever it says of them."""
    return any(site.setting(name) for name in (*TABLE, "use_lockfile"))
