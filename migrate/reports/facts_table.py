"""What was seen, for a terminal: who asked, then a line for each state and its reasons."""

from __future__ import annotations

from collections.abc import Iterator

from migrate.reports.layout import Line, Prose
from migrate.reports.spelling import counted, printable
from migrate.weighed import Asked

_HOLDS = {True: "MAY LOCK", False: "MAY NOT", None: "UNKNOWN"}


def lines(report: Asked, /) -> Iterator[Line]:
    if report.requests:
        yield from map(printable, report.requests)
        yield f"{counted(len(report.requests), 'request')} that can change nothing: --yes sends them"
    elif not report.facts:
        yield "no S3 backend found: nothing to ask"
    else:
        yield f"asked as {printable(report.facts[0].role)}"
    for fact in report.facts:
        yield f"{_HOLDS[fact.holds]:8}  {printable(fact.state)}"
        yield from (Prose(" " * 10, printable(reason), 12) for reason in fact.because.split("; "))
