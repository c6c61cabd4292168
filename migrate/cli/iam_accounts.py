"""`tfrelock iam check --live` and `--gaad`: what the policies of accounts say of the locks of states."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from msgspec.structs import replace

from migrate.campaign.access.questions import questions, unasked
from migrate.campaign.access.roles import from_source
from migrate.campaign.access.runners import limited_sessions, runners
from migrate.campaign.access.verdicts import check, misnamed_by
from migrate.cli.accounts import not_read, read_accounts
from migrate.cli.exits import Exit, worst
from migrate.cli.gather import gather
from migrate.cli.options import Scope, write_report
from migrate.cli.voice import Progress
from migrate.iam.holder import Row
from migrate.iam.locks import BAD
from migrate.policies import POLICIES
from migrate.reports import IAM
from migrate.weighed import Checked


def check_accounts(asked: Scope, workspaces: Sequence[str], *, live: bool, gaad: Sequence[Path]) -> int:
    """Every role and user against the lock of every state; a layer that could not be read is exit 5."""
    gathered = gather(asked, tuple(POLICIES))
    of = questions(gathered.estate, gathered.narrowing, workspaces)
    source = from_source(gathered.inventories, gathered.narrowing)
    view = read_accounts(asked, of, source.around, live=live, gaad=gaad)
    named = runners(gathered.estate, gathered.inventories)
    beyond = (*unasked(gathered.estate, gathered.narrowing), *limited_sessions(named))
    notes = (*beyond, *not_read(view), *misnamed_by(view.holders), *view.notes)
    with Progress("weighing who may lock:"):
        report = replace(check(view.holders, of, view.around), notes=notes)
    write_report(IAM, report)
    short = [*([Exit.PARTIAL] if view.unread else []), *([Exit.UNKNOWN] if beyond else [])]
    return worst([*gathered.exits, *short, *exits_of(report)])


def exits_of(report: Checked) -> Iterator[Exit]:
    """One for each verdict; that of a state which nobody who is known locks is unknown as well."""
    yield from map(_exit_of, report.rows)
    yield from (Exit.UNKNOWN for _ in report.untold)


def _exit_of(row: Row) -> Exit:
    if row.verdict.outcome in BAD:
        return Exit.FINDINGS
    return Exit.OK if row.is_known else Exit.UNKNOWN
