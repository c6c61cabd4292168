"""The audit as one page for a browser, readable on a phone."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Final

from migrate.estate import layered
from migrate.estate.changes import lock_of
from migrate.model import Place, Stack
from migrate.report import Audit, Finding
from migrate.reports import spelling
from migrate.reports.html_page import Html, bar, fold, joined, page, section, table, tag
from migrate.reports.spelling import counted
from migrate.rules import ALL
from migrate.rules.table_known import uncovered

_LOCKS: Final = {
    "table": "warn",
    "both": "calm",
    "lockfile": "good",
    "none": "bad",
    "mixed": "odd",
    "unknown": "grey",
}
_SEVERITIES: Final = {"error": "bad", "warning": "warn", "note": "grey"}
_EXCLUDES: Final = {"yes": ("good", "yes"), "no": ("bad", "NO"), "unknown": ("grey", "not known")}


def render(report: Audit, /) -> str:
    counts = spelling.counts(report)
    stacks, rest = report.listed, [tag("p", said) for said in spelling.untouched(report)]
    where = counted(counts["repositories"], "repository")
    unread = [tag("li", tag("code", item.place), f" {item.why}") for item in report.unreadable]
    return page(
        f"{counted(counts['states'], 'state')} in {where}",
        bar("States by lock", {lock: counts[lock] for lock in _LOCKS}, _LOCKS),
        tag("p", counted(counts["readers"], "reader"), class_="soft"),
        section("Findings", list(_findings(report))),
        section("States", [*([_states(report, stacks)] if stacks else []), *rest]),
        section("Not covered", list(_mentions(report))),
        section("Not read", [tag("ul", *unread)] if unread else []),
        section(
            "Left out on purpose", [tag("ul", *(tag("li", left) for left in report.left))] * bool(report.left)
        ),
        section("Repositories", [table(("repository", "branch", "commit"), _checkouts(report))]),
    )


def _findings(report: Audit) -> Iterator[Html]:
    ordered = sorted(report.findings, key=lambda finding: list(_SEVERITIES).index(finding.severity))
    for rule, group in groupby(ordered, key=lambda finding: finding.rule):
        found = list(group)
        severity = found[0].severity
        blocks = f", blocks {', '.join(found[0].blocks)}" if found[0].blocks else ""
        head = (tag("span", severity, class_=_SEVERITIES[severity]), f" {rule} ({len(found)})", blocks)
        yield fold(
            head,
            tag("p", ALL[rule].WHY, class_="soft"),
            *_remedied(found),
            opened=severity == "error",
        )


def _remedied(findings: Sequence[Finding]) -> Iterator[Html]:
    for remedy, found in spelling.by_remedy(findings).items():
        yield tag("ul", *map(_finding, found))
        yield tag("p", "→ ", remedy)


def _finding(finding: Finding) -> Html:
    where = [_place(finding.where), " "] if finding.where else []
    state = [" ", tag("code", finding.state, class_="soft")] if finding.state else []
    return tag("li", *where, finding.message, *state)


def _place(where: Place) -> Html:
    return tag("code", f"{where.repo} {where}")


_HEAD: Final = ("state", "lock", "excludes", "readers", "written in")


def _states(report: Audit, stacks: Sequence[Stack]) -> Html:
    """Each with its owners, where anybody is said to be one."""
    if not any(report.owners.values()):
        return table(_HEAD, map(_state, stacks))
    rows = ((*_state(stack), ", ".join(report.owners.get(str(stack.id), ()))) for stack in stacks)
    return table((*_HEAD, "owners"), rows)


def _state(stack: Stack) -> tuple[object, ...]:
    lock, (colour, excludes) = lock_of(stack), _EXCLUDES[layered.excludes(stack)]
    places = [_place(backend.place) for backend in stack.backends]
    return (
        tag("code", stack.id),
        tag("span", lock, class_=_LOCKS[lock]),
        tag("span", excludes, class_=colour),
        len(stack.readers),
        joined(tag("div", place) for place in places),
    )


def _mentions(report: Audit) -> Iterator[Html]:
    left = [mention for mention in report.estate.mentions if not mention.accounted]
    if left:
        head = (uncovered(len(left)),)
        lines = (tag("li", _place(m.where), f" {m.token} in a {m.looks_like} file") for m in left)
        yield fold(head, tag("ul", *lines))


def _checkouts(report: Audit) -> Iterator[tuple[object, ...]]:
    for checkout in report.checkouts:
        commit = tag("code", (checkout.commit or "")[:12])
        changed = " with changes" if checkout.dirty else ""
        yield (checkout.id, checkout.branch or "", joined([commit, changed]))
