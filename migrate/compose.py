"""Operations on one text, applied at once."""

from collections.abc import Iterable

from migrate.text import Conflict, Op


def compose(text: str, ops: Iterable[Op]) -> str | Conflict:
    """`text` with all of `ops` applied in whatever order; two that want different things are a value."""
    raise NotImplementedError
