"""What `tfrelock audit` does with what was read: judges it, leaves out what is waived, and reports."""

from __future__ import annotations

from collections.abc import Collection

from msgspec.structs import replace

from migrate.campaign.auditing.audit import audit
from migrate.campaign.auditing.waived import Waived, waived
from migrate.cli.checkouts import checkouts
from migrate.cli.exits import Exit, worst
from migrate.cli.gather import Gathered, gathered, today
from migrate.cli.options import Scope, write_report
from migrate.cli.reading import Items
from migrate.cli.voice import Progress, wrong
from migrate.files import printable
from migrate.report import Audit
from migrate.reports import AUDIT


def audit_all(asked: Scope, items: Items, counted: Collection[str]) -> int:
    """Report what the repositories hold, from the items that are being read of them."""
    found = gathered(asked, items)
    report = without(waived(found.inventories, today()), audited(found))
    write_report(AUDIT, report)
    return worst([*found.exits, *failing(report, counted)])


def audited(gathered: Gathered) -> Audit:
    """All that is to be said of what was gathered."""
    with Progress("judging what was found:"):
        at = list(checkouts(gathered))
        return audit(gathered.inventories, gathered.estate, at, today(), gathered.narrowing)


def without(silent: Waived, report: Audit) -> Audit:
    """The report without what is waived; comments that mean to be waivers and are none are said."""
    for place, why in silent.flaws:
        wrong(f"tfrelock: {printable(f'{place.repo} {place}')}: {printable(why)}")
    kept = (finding for finding in report.findings if not silent.silences(finding, today()))
    return replace(report, findings=tuple(kept))


def failing(report: Audit, counted: Collection[str]) -> list[Exit]:
    """The exit code of findings whose severity counts, if there are any."""
    found = any(finding.severity in counted for finding in report.findings)
    return [Exit.FINDINGS] if found else []
