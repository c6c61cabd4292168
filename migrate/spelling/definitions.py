"""A place in code that makes a lock table, as a value: said once for all kinds of code."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from migrate import hcl
from migrate.model import Definition, Fact, Known, Source, Unknown
from migrate.text import Lines, Span

_LAST: Final = (
    "last of all, when nothing uses the table any more: {first}{how}; in a change of its own, and not from a "
    "root that still locks in it"
)
_LIFTED: Final = frozenset({"prevent_destroy", "deletion protection", "DeletionPolicy Retain"})
"""Guards that stop a deletion; the others go with the table."""


class Sheet:
    """One source in front of one kind of code."""

    def __init__(self, source: Source, plug: str) -> None:
        self._source = source
        self._plug = plug
        self._lines = Lines(source.text)

    def definition(
        self, name: str, span: Span, table: Fact[str], how: str, guards: Iterable[str] = ()
    ) -> Definition:
        """`how` is what takes the table out of this code."""
        found = tuple(guards)
        lifted = [guard for guard in found if guard in _LIFTED]
        first = f"lift {' and '.join(lifted)} and apply that; then " if lifted else ""
        return Definition(
            repo=self._source.repo,
            path=self._source.path,
            plug=self._plug,
            name=name,
            table=table,
            line=self._lines.line(span.start),
            end_line=self._lines.line(max(span.start, span.end - 1)),
            remedy=_LAST.format(first=first, how=how),
            guards=found,
        )


def named(text: str, value: hcl.Value | None, absent: str) -> Fact[str]:
    """The name of a table as an argument says it; `absent` is who gives it one where there is none."""
    match value:
        case None:
            return Unknown(absent)
        case hcl.Literal(str() as literal, span) if text.startswith('"', span.start):
            return Known(literal)
        case _:
            return Unknown(value.span.of(text))


def is_on(block: hcl.Block, name: str) -> bool:
    """Whether an argument is there and is not literally off."""
    value = block.value(name)
    return value is not None and not (
        isinstance(value, hcl.Literal) and value.value in (False, None, "false", "")
    )
