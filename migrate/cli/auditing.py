"""What `tfrelock audit` does with what was read: judges it, leaves out what is waived, and reports."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import click
from msgspec.structs import replace

from migrate.campaign.audit import audit
from migrate.campaign.guard import guard, stated
from migrate.campaign.waived import Waived, waived
from migrate.cli.checkouts import checkouts
from migrate.cli.exits import Exit, worst
from migrate.cli.gather import Gathered, gathered, today
from migrate.cli.options import Scope, write_report
from migrate.cli.reading import Items
from migrate.cli.words import say_gates
from migrate.files import printable
from migrate.model import Outcome
from migrate.report import Audit, Finding
from migrate.reports import AUDIT
from migrate.rules import GATES

_ORDER = ("error", "warning", "note")


def audit_all(asked: Scope, items: Items, fail_on: str) -> int:
    """Report what the repositories hold, from the items that are being read of them."""
    found = gathered(asked, items)
    report = _without(waived(found.inventories), _audited(found, asked))
    write_report(AUDIT, report)
    return worst([*found.exits, *_exits(report, fail_on)])


def _audited(gathered: Gathered, asked: Scope) -> Audit:
    at = list(checkouts(gathered))
    return audit(gathered.inventories, gathered.estate, at, today(), asked.narrowing)


def _without(silent: Waived, report: Audit) -> Audit:
    """The report without what is waived; comments that mean to be waivers and are none are said."""
    for place, why in silent.flaws:
        click.echo(f"tfrelock: {printable(str(place))}: {why}", err=True)
    kept = (finding for finding in report.findings if not silent.silences(finding, today()))
    return replace(report, findings=tuple(kept))


def audit_change(asked: Scope, base: str, fail_on: str) -> int:
    """Only what the change brings in is reported and counts: its transitions, and findings that were not
    there.
    """
    # Here, because a plain audit reads none of git's objects and should not import what does.
    from migrate.cli.change import gather_change  # noqa: PLC0415

    before, after = gather_change(asked, base)
    old = {finding.id for finding in _audited(before, asked).findings}
    report = _audited(after, asked)
    brought = tuple(finding for finding in report.findings if finding.id not in old)
    changes = tuple(guard(before.estate, after.estate, today()))
    silent = waived(after.inventories).also_in(waived(before.inventories))
    report = _without(silent, replace(report, findings=(*changes, *brought)))
    write_report(AUDIT, report)
    say_gates(stated(before.estate, after.estate, today()))
    return worst([*after.exits, *_exits(report, fail_on), *_gates(changes)])


def _gates(changes: Iterable[Finding]) -> Iterator[Exit]:
    """A closed gate is 4; what is unknown of a change that was asked about is 6."""
    for finding in changes:
        if finding.outcome is Outcome.UNKNOWN:
            yield Exit.UNKNOWN
        elif finding.rule in GATES:
            yield Exit.CLOSED


def _exits(report: Audit, fail_on: str) -> list[Exit]:
    failing = _ORDER[: _ORDER.index(fail_on) + 1] if fail_on in _ORDER else ()
    found = any(finding.severity in failing for finding in report.findings)
    return [Exit.FINDINGS] if found else []
