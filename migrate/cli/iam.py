"""`tfrelock iam check`: who may lock, as policies say, or asked as the role that will lock."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from pathlib import Path

import click
from msgspec.structs import replace

from migrate.campaign.access.asking import ask
from migrate.campaign.access.probes import Probe, probes, requests
from migrate.campaign.access.questions import questions, unasked
from migrate.campaign.access.roles import NOTES, from_source
from migrate.campaign.access.runners import limited_sessions, runners
from migrate.campaign.access.unread import unread_policies
from migrate.campaign.access.verdicts import check as checked
from migrate.campaign.access.verdicts import misnamed_by
from migrate.cli import iam_diff
from migrate.cli.accounts import with_accounts
from migrate.cli.exits import Exit, worst
from migrate.cli.gather import gather
from migrate.cli.group import Group
from migrate.cli.iam_accounts import check_accounts, exits_of
from migrate.cli.options import Scope, scope, with_report, with_scope, write_report
from migrate.cli.voice import Progress, with_voice
from migrate.policies import POLICIES
from migrate.reports import FACTS, IAM
from migrate.weighed import Asked


@click.group("iam", cls=Group)
def command() -> None:
    """Say whether a role may take and release the locks of states."""


@with_voice
@with_scope
@with_report(FACTS)
@with_accounts
@command.command("check")
@click.option("--self", "myself", is_flag=True, help="Ask as the role that this process runs as.")
@click.option(
    "--workspace",
    "workspaces",
    multiple=True,
    metavar="NAME",
    help="A workspace that is used (repeatable); without it: default, and a made-up one as a sample of all.",
)
@click.option("--yes/--dry-run", default=False, help="Send the requests; without it, list them.")
@click.option(
    "--other-endpoint",
    is_flag=True,
    help="Also ask an endpoint that is not AWS's own. Only if it heeds If-Match: one that does not is "
    "noticed by what it has already done.",
)
def check(
    *,
    myself: bool,
    live: bool,
    gaad: tuple[Path, ...],
    workspaces: tuple[str, ...],
    yes: bool,
    other_endpoint: bool,
) -> int:
    """Say for each holder of policies and each state what becomes of the lock, and which statement decides.

    As the policies in source say: it reads files only, and cannot see what is live. With --gaad: as a saved
    answer of an account has it. With --live: as accounts have it now; every request is a read.

    With --self: asks S3 as the role of this process. GET, then PUT and DELETE that can change nothing: their
    If-Match names an ETag that no object has. DELETE is sent only right after HEAD found no lock. The risk
    that remains: a store that ignores If-Match would let the PUT write, or, between HEAD and DELETE, delete a
    lock just taken; the first success stops the run, with exit 1 and the command that undoes it. Rights to
    KMS keys are not asked for. With --format json the answers are a document for --facts.
    """
    if not myself and (yes or other_endpoint):
        raise click.UsageError("--yes and --other-endpoint go with --self: nothing else asks S3")
    if myself and (live or gaad):
        raise click.UsageError("--self, --live and --gaad are three ways to ask: say one of them")
    asked = scope()
    if myself:
        return _of_myself(asked, workspaces, yes=yes, other=other_endpoint)
    if live or gaad:
        return check_accounts(asked, workspaces, live=live, gaad=gaad)
    return _of_source(asked, workspaces)


def _of_source(asked: Scope, workspaces: tuple[str, ...]) -> int:
    """What the policies found in source say."""
    gathered = gather(asked, tuple(POLICIES))
    known = from_source(gathered.inventories, gathered.narrowing)
    of = questions(gathered.estate, gathered.narrowing, workspaces)
    unread = unread_policies(gathered.inventories, gathered.narrowing)
    beyond = (
        *unasked(gathered.estate, gathered.narrowing),
        *limited_sessions(runners(gathered.estate, gathered.inventories)),
        *(f"Not read: {one.where.repo} {one.where}: {one.why}: {one.remedy}." for one in unread),
        *known.unplaced(one.state.bucket for one in of),
    )
    notes = (*beyond, *misnamed_by(known.holders), *NOTES)
    with Progress("weighing who may lock:"):
        report = replace(checked(known.holders, of, known.around), notes=notes)
    write_report(IAM, report)
    unknown = [Exit.UNKNOWN] if beyond else []
    return worst([*gathered.exits, *unknown, *exits_of(report)])


def _of_myself(asked: Scope, workspaces: tuple[str, ...], *, yes: bool, other: bool) -> int:
    gathered = gather(asked)
    probed = probes(gathered.estate, gathered.narrowing, workspaces)
    report = _asked(probed, other=other) if yes and probed else Asked(requests=requests(probed))
    write_report(FACTS, report)
    return worst([*gathered.exits, *_exits(report)])


def _asked(probed: Sequence[Probe], *, other: bool) -> Asked:
    from migrate.aws import Caller  # noqa: PLC0415  boto3 takes its time, and a listing does without

    now = dt.datetime.now(dt.UTC).isoformat(timespec="seconds")
    return Asked(ask(probed, Caller(other=other), now))


def _exits(report: Asked) -> list[Exit]:
    by_answer = {True: Exit.OK, False: Exit.FINDINGS, None: Exit.UNKNOWN}
    return [by_answer[fact.holds] for fact in report.facts]


command.add_command(iam_diff.command)
