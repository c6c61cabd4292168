"""What a reader of another state says of the table whose digest row it checks."""

from __future__ import annotations

from migrate.estate.effective import joined, text
from migrate.model import Site


def names_table(site: Site) -> bool:
    """Whether this reader or writer names a lock table (an expression is one too)."""
    return text(joined([site]), "dynamodb_table") is not None
