"""The audit for a terminal: what does not exclude first, then the states, then what must be settled, then the
sum.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import TypeAlias

from migrate.estate import layered
from migrate.estate.changes import lock_of
from migrate.estate.tables import locked_in
from migrate.model import Known, Place, Stack, StateId
from migrate.report import Audit, Finding
from migrate.reports import spelling
from migrate.reports.layout import Beside, Line, Prose, Rows
from migrate.reports.spelling import counted, printable
from migrate.rules.table_known import uncovered

Row: TypeAlias = tuple[str, str, str, str, str]

_SHOWN = 8
"""States listed of one place, and places of one rule, before the rest are counted."""

_BESIDE = 2
"""Places that have what is said of them beside them."""


def lines(report: Audit, /) -> Iterator[Line]:
    if not (
        report.sites
        or report.estate.mentions
        or report.estate.definitions
        or report.unreadable
        or report.findings
    ):
        yield "no S3 backend, reader or lock table found"
        yield from _notes(report)
        return
    urgent = [finding for finding in report.findings if finding.severity == "error"]
    others = [finding for finding in report.findings if finding.severity == "warning"]
    alone = len(report.checkouts) == 1
    yield from _findings(urgent, alone=alone)
    yield from _states(report, alone=alone)
    if report.touched is None:
        yield from _tables(report, alone=alone)
    yield from _findings(others, alone=alone)
    yield from _notes(report)
    yield from _sum(report)


def _findings(findings: Sequence[Finding], *, alone: bool) -> Iterator[Line]:
    for rule, group in groupby(findings, key=lambda finding: finding.rule):
        found = list({(f.where, f.message): f for f in group}.values())
        blocks = f"  blocks {', '.join(found[0].blocks)}" if found[0].blocks else ""
        yield f"{found[0].severity.upper()} {rule} ({len(found)}){blocks}"
        for remedy, cured in spelling.by_remedy(found[:_SHOWN]).items():
            for alike in spelling.by_message(cured).values():
                yield from _said(alike, alone=alone)
            yield Prose("  → ", printable(remedy), 4)
        if len(found) > _SHOWN:
            yield f"  … and {len(found) - _SHOWN} more (--format json lists all)"


def _said(alike: Sequence[Finding], *, alone: bool) -> Iterator[Line]:
    """What is said of a place or two beside each; of more once, and the places below."""
    message, places = printable(alike[0].message), [_named(f.where, alone=alone) for f in alike if f.where]
    if 0 < len(places) <= _BESIDE:
        yield from (Beside(f"  {place}", message) for place in places)
    else:
        yield Prose("  ", message, 4)
        yield from (f"    {place}" for place in places)


def _named(where: Place, *, alone: bool) -> str:
    """Where, without the repository's name when there is only one."""
    return printable(where if alone else f"{where.repo} {where}")


def _states(report: Audit, *, alone: bool) -> Iterator[Line]:
    rows = [
        (
            lock_of(stack),
            {"yes": "yes", "no": "NO", "unknown": "?"}[layered.excludes(stack)],
            _state(stack),
            f"{len(stack.readers) or ''}",
            ", ".join(_named(b.place, alone=alone) for b in stack.backends[:2])
            + (f" +{len(stack.backends) - 2}" if len(stack.backends) > 2 else ""),
        )
        for stack in report.listed
    ]
    if rows:
        yield Rows([("LOCK", "EXCLUDES", "STATE", "READERS", "WHERE"), *_folded(rows)])
    yield from spelling.untouched(report)


def _tables(report: Audit, *, alone: bool) -> Iterator[Line]:
    """What makes lock tables: each is deleted last of all."""
    rows = [
        (
            printable(d.table.value if isinstance(d.table, Known) else f"({d.table.why})"),
            f"{len(list(locked_in(d, report.estate))) or ''}",
            f"{printable(d.name)} {_named(d.place, alone=alone)}",
            ", ".join(d.guards),
        )
        for d in report.estate.definitions
    ]
    if rows:
        yield Rows([("TABLE", "STATES", "MADE BY (goes last of all)", "GUARDS"), *rows])


def _folded(rows: Sequence[Row]) -> Iterator[Row]:
    """One configuration of Terragrunt may serve thousands of states: all that differ in their name alone."""
    alike = Counter((lock, excludes, readers, where) for lock, excludes, _, readers, where in rows)
    told = set()
    for lock, excludes, state, readers, where in rows:
        kind = (lock, excludes, readers, where)
        if alike[kind] <= _SHOWN:
            yield lock, excludes, state, readers, where
        elif kind not in told:
            told.add(kind)
            yield lock, excludes, f"{state} and {alike[kind] - 1:,} more", readers, where


def _state(stack: Stack) -> str:
    if isinstance(stack.id, StateId):
        return printable(stack.id)
    units = sum(backend.units for backend in stack.backends)
    return f"not known from source{f' ({units:,} units)' if units > 1 else ''}"


def _notes(report: Audit) -> Iterator[str]:
    if report.left:
        more = ", …" if len(report.left) > 1 else ""
        yield f"left out: {len(report.left)} ({printable(report.left[0])}{more})"
    if report.examples:
        sites = counted(len(report.examples), "site")
        yield f"{sites} in examples or fixtures: --only names them for proposals"
    for item in report.unreadable[:_SHOWN]:
        yield f"unreadable: {printable(item.place)}: {printable(item.why)}"


def _sum(report: Audit) -> Iterator[str]:
    counts = spelling.counts(report)
    words = [f"{counts[word]} {word}" for word in spelling.LOCKS if counts[word]]
    repositories = counted(counts["repositories"], "repository")
    states = f"{counted(counts['states'], 'state')} in {repositories}: {', '.join(words) or 'none'}"
    yield f"{states}; {counted(counts['readers'], 'reader')}"
    if counts["unaccounted"]:
        yield f"{uncovered(counts['unaccounted'])}; they are not covered"
