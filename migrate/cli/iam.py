"""`tfrelock iam check --self`: asked as the role that will lock, whether it may."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence

import click

from migrate.campaign.asking import ask
from migrate.campaign.probes import Probe, probes, requests
from migrate.cli import iam_diff
from migrate.cli.exits import Exit, worst
from migrate.cli.gather import gather, say_unread
from migrate.cli.options import scope, with_report, with_scope, write_report
from migrate.report import Asked
from migrate.reports import FACTS


@click.group("iam")
def command() -> None:
    """Say whether a role may take and release the locks of states."""


command.add_command(iam_diff.command)


@with_scope
@with_report(FACTS)
@command.command("check")
@click.option("--self", "myself", is_flag=True, help="Ask as the role that this process runs as.")
@click.option(
    "--workspace",
    "workspaces",
    multiple=True,
    metavar="NAME",
    help="A workspace that is used (repeatable); without it: default, and a made-up one as a sample of all.",
)
@click.option("--yes", is_flag=True, help="Send the requests; without it, list them.")
@click.option(
    "--other-endpoint",
    is_flag=True,
    help="Also ask an endpoint that is not AWS's own. Only if it heeds If-Match: one that does not is "
    "noticed by what it has already done.",
)
def check(*, myself: bool, workspaces: tuple[str, ...], yes: bool, other_endpoint: bool) -> int:
    """Ask S3 whether this process's role may put, get and delete the lock of each state.

    GET, then PUT and DELETE that can change nothing: their If-Match names an ETag that no object has. DELETE
    is sent only right after HEAD found no lock. The risk that remains: a store that ignores If-Match would
    let the PUT write, or, between HEAD and DELETE, delete a lock just taken; the first success stops the run,
    with exit 1 and the command that undoes it. Rights to KMS keys are not asked for. With --format json the
    answers are a document for --facts.
    """
    if not myself:
        raise click.UsageError("say --self: this version asks for nobody else")
    asked = scope()
    gathered = gather(asked)
    say_unread(gathered)
    probed = probes(gathered.estate, asked.narrowing, workspaces)
    report = _asked(probed, other=other_endpoint) if yes and probed else Asked(requests=requests(probed))
    write_report(FACTS, report)
    return worst([*gathered.exits, *_exits(report)])


def _asked(probed: Sequence[Probe], *, other: bool) -> Asked:
    from migrate.aws import Caller  # noqa: PLC0415  boto3 takes its time, and a listing does without

    now = dt.datetime.now(dt.UTC).isoformat(timespec="seconds")
    return Asked(ask(probed, Caller(other=other), now))


def _exits(report: Asked) -> list[Exit]:
    by_answer = {True: Exit.OK, False: Exit.FINDINGS, None: Exit.UNKNOWN}
    return [by_answer[fact.holds] for fact in report.facts]
