"""`tfrelock plan`: what is safe next, what holds it back, and what would settle it."""

from __future__ import annotations

import click

from migrate.campaign.auditing.audit import audit
from migrate.campaign.auditing.plan import plan
from migrate.campaign.editing.by_hand import unread
from migrate.cli.exits import worst
from migrate.cli.gather import gather_with_callers, today
from migrate.cli.options import scope, with_branches, with_judging, with_report, with_scope, write_report
from migrate.cli.voice import Progress, with_voice
from migrate.cli.words import say_answers
from migrate.reports import PLAN


@with_voice
@with_scope
@with_judging
@with_branches
@with_report(PLAN)
@click.command("plan")
def command() -> int:
    """Say for each state what is safe next and what holds it back.

    Give all repositories of an estate at once: a reader or second writer in another one holds a step back.
    """
    asked = scope()
    gathered = gather_with_callers(asked)
    say_answers(unread(gathered.inventories, gathered.narrowing), ())
    with Progress("judging what was found:"):
        audited = audit(gathered.inventories, gathered.estate, [], today(), gathered.narrowing)
        planned = plan(gathered.estate, audited.held, today(), gathered.narrowing)
    write_report(PLAN, planned)
    return worst(gathered.exits)
