"""`tfrelock demo`: the story of the migration, with real Terraform on an embedded AWS."""

from __future__ import annotations

import os
import sys
from contextlib import closing
from pathlib import Path
from typing import Final, TypedDict

import click

from migrate.cli.exits import Exit
from migrate.cli.voice import columns, with_voice
from migrate.demo import perform
from migrate.demo.lines import Line, Part, lines
from migrate.errors import RelockError
from migrate.terraform import CACHE, Terraform, given, installed, newest
from migrate.versions import FIRST_LOCKFILE, FLOORS, Range, Release

OLD: Final = Range(Release(1, 6, 0), FIRST_LOCKFILE["terraform"])
NEW: Final = Range(FLOORS["terraform"])


class _Style(TypedDict, total=False):
    fg: str
    bold: bool
    dim: bool


_STYLES: Final[dict[Part, _Style]] = {
    "heading": {"bold": True},
    "prose": {},
    "command": {"fg": "cyan"},
    "words": {},
    "kept": {"fg": "green"},
    "missed": {"fg": "red", "bold": True},
    "meaning": {"bold": True},
}
_PROGRAM: Final = click.Path(exists=True, dir_okay=False, path_type=Path)


@with_voice
@click.command("demo")
@click.option("--old", type=_PROGRAM, metavar="BIN", help="A Terraform from 1.6 to 1.9.")
@click.option("--new", type=_PROGRAM, metavar="BIN", help="A Terraform from 1.11 on.")
def command(*, old: Path | None, new: Path | None) -> int:
    """Show with real Terraform what goes wrong, and what this program does instead.

    Needs the extra tfrelock[demo] and two releases of Terraform; without --old and --new they are looked for
    on PATH, in the folders of tfenv and tfswitch, and in the cache of a clone. Works in a temporary folder.
    """
    missed = 0
    with closing(perform(_chosen(old, OLD, "1.9.8"), _chosen(new, NEW, "1.15.5"))) as beats:
        for line in lines(beats, columns(sys.stdout)):
            missed += line.part == "missed"
            _print(line)
    if missed:
        raise RelockError("the demonstration did not show what it promises", "", "look for ✗ above")
    return Exit.OK


def _chosen(program: Path | None, wanted: Range, such_as: str) -> Terraform:
    if program is None:
        return newest(installed(Path.home(), os.environ.get("PATH", ""), CACHE), wanted, such_as)
    terraform = given(program)
    if terraform.release not in wanted:
        raise RelockError(f"is Terraform {terraform.release}", str(program), f"name one like {such_as}")
    return terraform


def _print(line: Line) -> None:
    plain = bool(os.environ.get("NO_COLOR"))
    click.echo(click.style(line.text, **_STYLES[line.part]), color=False if plain else None)
