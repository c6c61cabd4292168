"""`tfrelock iam diff`: the least change of live policies that cures what `iam check` found. Never applied."""

from __future__ import annotations

from pathlib import Path
from typing import Final, get_args

import click
from msgspec.structs import replace

from migrate.campaign.access.cure import Wish, cure
from migrate.campaign.access.questions import questions, unasked
from migrate.campaign.editing.policies import lock_grant
from migrate.cli.accounts import not_read, nothing_of, read_accounts, with_accounts
from migrate.cli.exits import Exit, worst
from migrate.cli.gather import gather
from migrate.cli.options import scope, with_report, with_scope, write_report
from migrate.cli.voice import Progress, hint, with_voice
from migrate.files import save
from migrate.iam.target import Scope
from migrate.reports import CURE
from migrate.weighed import Cured

_SCOPES: Final[tuple[Scope, ...]] = get_args(Scope)


@with_voice
@with_scope
@with_report(CURE)
@with_accounts
@click.command("diff")
@click.option(
    "--workspace",
    "workspaces",
    multiple=True,
    metavar="NAME",
    help="A workspace that is used (repeatable).",
)
@click.option(
    "--lock-scope",
    type=click.Choice(_SCOPES),
    default=_SCOPES[0],
    show_default=True,
    help="How wide a grant is: as the policy's grant of the state, the exact key, its folder, or the bucket.",
)
@click.option(
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="DIR",
    help="Write the documents that the commands name, and those that undo them, into DIR.",
)
def command(
    *,
    live: bool,
    gaad: tuple[Path, ...],
    workspaces: tuple[str, ...],
    lock_scope: Scope,
    out: Path | None,
) -> int:
    """Print the least change of live policies that lets every role lock what it would fail at.

    Each policy as a diff, with the aws commands that put it and that take it back, to be run in DIR. Nothing
    is sent: people run them, or carry the change to where the policy is made. A Deny is never weakened, and
    a role that AWS or Identity Center keeps is refused with what to do instead.
    """
    if not (live or gaad):
        raise click.UsageError("say --live or --gaad FILE; policies in source: tfrelock edit --phase iam")
    asked = scope()
    gathered = gather(asked)
    of = questions(gathered.estate, gathered.narrowing, workspaces)
    view = read_accounts(asked, of, nothing_of, live=live, gaad=gaad)
    with Progress("looking for the least change:"):
        cured = cure(view, of, Wish(lock_scope, lock_grant(gathered.estate).tables))
    beyond = unasked(gathered.estate, gathered.narrowing)
    report = replace(cured, notes=(*beyond, *not_read(view), *cured.notes))
    write_report(CURE, report)
    if out:
        _write(report, out)
    elif report.changes:
        hint("the documents that the commands name are not written: --out DIR writes them")
    partial = [Exit.PARTIAL] if view.unread or report.refusals else []
    unknown = [Exit.UNKNOWN] if beyond or report.untold or report.unknown else []
    return worst([*gathered.exits, *partial, *unknown])


def _write(report: Cured, out: Path) -> None:
    for change in report.changes:
        save(out / change.file, change.after.encode())
        if change.before:
            save(out / change.undo_file, change.before.encode())
