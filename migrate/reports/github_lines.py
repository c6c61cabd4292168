"""The audit's findings as commands to GitHub's runner, which shows each at its line of the change."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from migrate.report import Audit, Finding
from migrate.reports.spelling import printable

_COMMANDS: Final[Mapping[str, str]] = {"error": "error", "warning": "warning", "note": "notice"}


def render(report: Audit, /) -> str:
    """One command a line; nothing in a message or a name begins another."""
    return "".join(f"{command}\n" for command in [*_findings(report), *_unread(report)])


def _findings(report: Audit) -> Iterator[str]:
    for finding in report.findings:
        said = _text(f"{finding.message} → {finding.remedy}")
        yield f"::{_COMMANDS[finding.severity]} {_properties(finding)}::{said}"


def _properties(finding: Finding) -> str:
    title = f"title={_property(finding.rule)}"
    if finding.where is None:
        return title
    return f"file={_property(finding.where.path)},line={finding.where.line},{title}"


def _unread(report: Audit) -> Iterator[str]:
    for item in report.unreadable:
        line = f",line={item.line}" if item.line else ""
        yield f"::error file={_property(item.path)}{line},title=unreadable::{_text(item.why)}"


def _text(text: str) -> str:
    r"""As the runner decodes it; `printable` has made line ends `\n` already."""
    return printable(text).replace("%", "%25")


def _property(value: object) -> str:
    return _text(str(value)).replace(":", "%3A").replace(",", "%2C")
