"""What became of each directory, or would, for a terminal; those that nothing is to do about are counted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from migrate.model import Directory
from migrate.reports.spelling import counted, printable

NAME = "table"


def render(report: Sequence[Directory], /) -> str:
    return "\n".join(_lines(report)) + "\n"


def _lines(report: Sequence[Directory]) -> Iterator[str]:
    for one in report:
        if one.status not in ("current", "new"):
            why = f"  {printable(one.why)}" if one.why else ""
            yield f"{one.status:8}  {printable(one.repo)} {printable(one.path)}{why}"
            if one.command and one.status == "stale":
                yield f"{'':10}{printable(one.command)}"
    counts = Counter(one.status for one in report)
    said = ", ".join(f"{count} {status}" for status, count in sorted(counts.items()))
    yield f"{counted(len(report), 'root')}{f': {said}' if said else ''}"
