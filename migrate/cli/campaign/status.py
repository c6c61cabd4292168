"""`tfrelock campaign status`."""

from __future__ import annotations

from pathlib import Path

import click

from migrate.cli.campaign.book import FILE, now, opened
from migrate.cli.exits import Exit
from migrate.cli.options import with_report, write_report
from migrate.cli.voice import with_voice
from migrate.report import CampaignReport
from migrate.reports import CAMPAIGN


@with_voice
@with_report(CAMPAIGN)
@click.command("status")
@FILE
def command(*, file: Path) -> int:
    """Say where each repository, state and proposal stands and what is stuck, as last seen by sync."""
    with opened(file) as book:
        write_report(CAMPAIGN, CampaignReport(book.progress, now()))
    return Exit.OK
