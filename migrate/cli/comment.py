"""`tfrelock comment`: one comment of ours under somebody's proposal; a later run changes it."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import click

from migrate.cli.forges import reach, with_forge
from migrate.cli.options import scope, with_paths, with_yes
from migrate.cli.voice import with_voice
from migrate.files import load, printable

FIRST: Final = "<!-- tfrelock: what this change does to locks -->"
_MOST: Final = 60_000
"""The longest comment, in characters; GitHub takes 65,536."""
_CUT: Final = "\n\nThe rest is left out here for length.\n"


def _number(context: click.Context, parameter: click.Parameter, value: str) -> str:
    if not value.isascii() or not value.isdecimal():
        raise click.BadParameter(f"{value!r} is no number of a proposal", context, parameter)
    return value


@with_voice
@with_paths
@with_forge
@click.command("comment")
@click.argument("number", callback=_number)
@click.option(
    "--file",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    required=True,
    metavar="FILE",
    help="The comment: a report that was written with --format markdown.",
)
@click.option("--update-only", is_flag=True, help="Change an earlier comment of ours; make none.")
@with_yes(help="Make or change it; without it, say where it would be.")
def command(*, number: str, file: Path, update_only: bool, writes: bool) -> int:
    """Put a report under a proposal as one comment, and change it later.

    NUMBER is the proposal's, PATH a checkout of its repository. A later run finds the comment again by its
    hidden first line.
    """
    asked = scope()
    body = _body(load(file))
    repositories = asked.discovered.repositories
    if len(repositories) != 1:
        raise click.UsageError("a comment belongs to one repository: name its folder")
    repo = repositories[0].id
    with reach(asked.operator.says, writes=False) as reached:
        if reached.host is None:
            raise click.UsageError("--forge local takes no comments: name a host with --forge")
        if writes:
            said = reached.host.inner.comment(repo, number, body, make=not update_only)
            told = f"comment {'there is none' if said == 'none' else said}"
        else:
            told = f"would comment with {len(body)} characters; --yes does"
    click.echo(f"{printable(repo)} {number}: {told}")
    return 0


def _body(text: str) -> str:
    body = f"{FIRST}\n{text}"
    return body if len(body) <= _MOST else body[: _MOST - len(_CUT)] + _CUT
