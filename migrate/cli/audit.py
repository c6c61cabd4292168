"""`tfrelock audit`: the inventory, and what stands in the way.

What it does stands in `auditing`, which is imported while other processes read the tree, and in `guarding`.
"""

from __future__ import annotations

import click

from migrate.cli.options import found, scope, with_branches, with_judging, with_report, with_scope
from migrate.cli.reading import reading
from migrate.cli.voice import with_voice
from migrate.reports import AUDIT

_FAILING = {"error": ("error",), "warning": ("error", "warning"), "never": ()}
"""The severities that count, by `--fail-on`."""


@with_voice
@with_scope
@with_judging
@with_branches
@with_report(AUDIT)
@click.command("audit")
@click.option(
    "--base",
    metavar="REF",
    help="Audit the commits since REF: what they do to each lock, and whether they may. Reads git's objects.",
)
@click.option(
    "--fail-on",
    type=click.Choice(list(_FAILING)),
    default="warning",
    show_default=True,
    help="The least severity that makes the exit code 2. A note never does.",
)
def command(base: str | None, fail_on: str) -> int:
    """List every S3 backend, reader and lock, and what must be settled.

    Reads files only: no network, no credentials, nothing is written and nothing of a repository is run.
    """
    if base is not None:
        asked = scope()
        if asked.branches:
            raise click.UsageError("--base reads two commits of one branch: leave out --base-branch")
        from migrate.cli.guarding import audit_change  # noqa: PLC0415  it asks git, as no other audit does

        return audit_change(asked, base, _FAILING[fail_on])
    with reading(found()) as items:
        from migrate.cli.auditing import audit_all  # noqa: PLC0415  while the walk goes on in other processes

        return audit_all(scope(), items, _FAILING[fail_on])
