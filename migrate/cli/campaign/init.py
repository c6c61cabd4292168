"""`tfrelock campaign init`."""

from __future__ import annotations

from pathlib import Path

import click

from migrate.campaign.offering.slices import plain
from migrate.cli.campaign.book import FILE, KEPT, opened
from migrate.cli.exits import Exit
from migrate.cli.voice import hint, with_voice
from migrate.progress.events import Begun, Kept


@with_voice
@click.command("init")
@FILE
@click.option("--name", metavar="NAME", help="Enters the names of branches; without it, the file's name.")
@KEPT
def command(file: Path, name: str | None, kept: tuple[str, ...]) -> int:
    """Begin a campaign in FILE."""
    chosen = plain(name or file.stem or "campaign")
    with opened(file, new=True) as book:
        book.note([Begun(chosen), *map(Kept, kept)])
    hint(f"campaign {chosen} begins in {file}; next: tfrelock campaign add {file} …")
    return Exit.OK
