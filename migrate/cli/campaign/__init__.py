"""`tfrelock campaign`: many repositories over weeks, in one file that can be resumed at any point."""

from __future__ import annotations

import click

from migrate.cli.campaign.add import command as add
from migrate.cli.campaign.export import command as export
from migrate.cli.campaign.init import command as init
from migrate.cli.campaign.status import command as status
from migrate.cli.campaign.stop import close, pause
from migrate.cli.campaign.sync import command as sync
from migrate.cli.campaign.wave import command as wave
from migrate.cli.group import Group


@click.group("campaign", cls=Group)
def command() -> None:
    """Lead many repositories through the migration over weeks.

    FILE holds all that happened; a run that is interrupted anywhere is taken up by the next.
    """


for _one in (init, add, wave, sync, status, pause, close, export):
    command.add_command(_one)
