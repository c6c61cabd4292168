"""The audit as Markdown, for a page or a comment that people read."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import groupby

from migrate.estate import layered
from migrate.estate.changes import lock_of
from migrate.report import Audit, Finding
from migrate.reports import spelling

_LINKING = re.compile(r"@|#(?=\d)|(?:https?|ftp):(?=//)|\bGH-(?=\d)|\bwww(?=\.)", re.IGNORECASE)
"""A mark that stands for nothing, after each, keeps a forge from making a link of it or calling somebody."""
_SPECIAL = re.compile(r"([\\`*_{}\[\]<>#|@~&])")


def escaped(text: object) -> str:
    """Text of a repository as plain text: no link, mention, HTML, table cell or code comes out of it."""
    unlinked = _LINKING.sub("\\g<0>\u2060", spelling.printable(text))
    return _SPECIAL.sub(r"\\\1", unlinked)


def render(report: Audit, /) -> str:
    """Findings stand before the states, which are folded: a comment is read on a phone, and may have to be
    cut.
    """
    return "\n".join([*_summary(report), "", *_findings(report), *_states(report)]) + "\n"


def _summary(report: Audit) -> Iterator[str]:
    counts = spelling.counts(report)
    states = spelling.counted(counts["states"], "state")
    yield f"**{states}** in {spelling.counted(counts['repositories'], 'repository')}"
    yield ""
    yield f"| {' | '.join(spelling.LOCKS)} | readers | not covered |"
    yield "|---" * (len(spelling.LOCKS) + 2) + "|"
    words = (*spelling.LOCKS, "readers", "unaccounted")
    yield "| " + " | ".join(str(counts[word]) for word in words) + " |"


def _states(report: Audit) -> Iterator[str]:
    for rest in spelling.untouched(report):
        yield from (rest, "")
    if not (listed := report.listed):
        return
    yield f"<details><summary>{spelling.counted(len(listed), 'state')}</summary>"
    yield ""
    yield "| state | lock | excludes | where |"
    yield "|---|---|---|---|"
    for stack in listed:
        places = ", ".join(escaped(f"{b.repo} {b.place}") for b in stack.backends[:3])
        more = f" and {len(stack.backends) - 3} more" if len(stack.backends) > 3 else ""
        lock, excludes = lock_of(stack), layered.excludes(stack)
        yield f"| {escaped(stack.id)} | {lock} | {excludes} | {places}{more} |"
    yield ""
    yield "</details>"


def _findings(report: Audit) -> Iterator[str]:
    for rule, group in groupby(report.findings, key=lambda finding: finding.rule):
        for remedy, cured in spelling.by_remedy(group).items():
            yield f"**{rule}** ({cured[0].severity}, {len(cured)}): {escaped(remedy)}"
            yield ""
            yield from (f"- {_where(finding)}{escaped(finding.message)}" for finding in cured)
            yield ""


def _where(finding: Finding) -> str:
    return f"{escaped(finding.where.repo)} {escaped(finding.where)}: " if finding.where else ""
