"""What became of each directory, or would, for a terminal; those that nothing is to do about are counted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from migrate.model import Directory
from migrate.reports.layout import Either, Line, Prose
from migrate.reports.spelling import counted, printable

_BELOW = " " * 10


def lines(report: Sequence[Directory], /) -> Iterator[Line]:
    for one in report:
        if one.status not in ("current", "new"):
            yield from _directory(one)
    counts = Counter(one.status for one in report)
    said = ", ".join(f"{count} {status}" for status, count in sorted(counts.items()))
    yield f"{counted(len(report), 'root')}{f': {said}' if said else ''}"


def _directory(one: Directory) -> Iterator[Line]:
    where, why = f"{one.status:8}  {printable(one.repo)} {printable(one.path)}", printable(one.why)
    yield Either(f"{where}  {why}", (where, Prose(_BELOW, why, len(_BELOW)))) if why else where
    if one.command and one.status == "stale":
        yield f"{_BELOW}{printable(one.command)}"
