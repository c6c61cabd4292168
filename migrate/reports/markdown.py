"""The audit as Markdown, for a page or a comment that people read."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import groupby

from migrate.estate.changes import lock_of
from migrate.report import Audit, Finding
from migrate.reports import spelling

NAME = "markdown"

_SPECIAL = re.compile(r"([\\`*_{}\[\]<>#|@~])")


def escaped(text: object) -> str:
    """Text of a repository as plain text: no link, mention, HTML, table cell or code comes out of it."""
    return _SPECIAL.sub(r"\\\1", spelling.printable(text)).replace("@", "@\u200b")


def render(report: Audit, /) -> str:
    return "\n".join([*_summary(report), "", *_states(report), "", *_findings(report)]) + "\n"


def _summary(report: Audit) -> Iterator[str]:
    counts = spelling.counts(report)
    states = spelling.counted(counts["states"], "state")
    yield f"**{states}** in {spelling.counted(counts['repositories'], 'repository', 'repositories')}"
    yield ""
    yield "| table | both | lockfile | none | mixed | unknown | readers | not covered |"
    yield "|---|---|---|---|---|---|---|---|"
    words = ("table", "both", "lockfile", "none", "mixed", "unknown", "readers", "unaccounted")
    yield "| " + " | ".join(str(counts[word]) for word in words) + " |"


def _states(report: Audit) -> Iterator[str]:
    yield "| state | lock | excludes | where |"
    yield "|---|---|---|---|"
    for stack in report.estate.stacks:
        if stack.backends:
            places = ", ".join(escaped(f"{b.repo} {b.place}") for b in stack.backends[:3])
            more = f" and {len(stack.backends) - 3} more" if len(stack.backends) > 3 else ""
            lock, excludes = lock_of(stack), spelling.excludes(stack)
            yield f"| {escaped(stack.id)} | {lock} | {excludes} | {places}{more} |"


def _findings(report: Audit) -> Iterator[str]:
    for rule, group in groupby(report.findings, key=lambda finding: finding.rule):
        found = list(group)
        yield f"**{rule}** ({found[0].severity}, {len(found)}): {escaped(found[0].remedy)}"
        yield ""
        yield from (f"- {_where(finding)}{escaped(finding.message)}" for finding in found)
        yield ""


def _where(finding: Finding) -> str:
    return f"{escaped(finding.where.repo)} {escaped(finding.where)}: " if finding.where else ""
