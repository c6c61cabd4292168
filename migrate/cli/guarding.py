"""What `tfrelock audit --base` does: holds two commits against each other."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

from msgspec.structs import replace

from migrate.campaign.auditing.guard import guard, stated, touched
from migrate.campaign.auditing.waived import waived
from migrate.cli.auditing import audited, failing, without
from migrate.cli.change import gather_change
from migrate.cli.exits import Exit, worst
from migrate.cli.gather import today
from migrate.cli.options import Scope, write_report
from migrate.cli.words import say_gates
from migrate.model import Outcome
from migrate.report import Finding
from migrate.reports import AUDIT
from migrate.rules import GATES


def audit_change(asked: Scope, base: str, counted: Collection[str]) -> int:
    """Report what the commits since `base` do to each lock, and whether they may.

    Only what the change brings in is reported and counts: its transitions, and findings that were not
    there.
    """
    before, after = gather_change(asked, base)
    old = {finding.id for finding in audited(before).findings}
    report = audited(after)
    brought = tuple(finding for finding in report.findings if finding.id not in old)
    changes = tuple(guard(before.estate, after.estate, today(), after.narrowing))
    silent = waived(after.inventories, today()).also_in(waived(before.inventories, today()))
    report = without(silent, replace(report, findings=(*changes, *brought)))
    seen = touched(before.estate, after.estate, today(), after.narrowing)
    concerned = {finding.state for finding in report.findings if finding.state}
    report = replace(report, touched=seen | concerned)
    write_report(AUDIT, report)
    say_gates(stated(before.estate, after.estate, today(), after.narrowing))
    return worst([*after.exits, *failing(report, counted), *_gates(changes)])


def _gates(changes: Iterable[Finding]) -> Iterator[Exit]:
    """A closed gate is 4; what is unknown of a change that was asked about is 6."""
    for finding in changes:
        if finding.outcome is Outcome.UNKNOWN:
            yield Exit.UNKNOWN
        elif finding.rule in GATES:
            yield Exit.CLOSED
