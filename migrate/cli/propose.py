"""`tfrelock propose`: a branch and a proposal for what is open now; made only when told."""

from __future__ import annotations

import functools
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from threading import Lock

import click
from msgspec.structs import replace

from migrate.campaign.inventory import Inventory
from migrate.campaign.offers import OFFERED, How, Planned, Style, plan
from migrate.campaign.propose import Declined, Offered, Outcome, Paused, Settings, Withheld
from migrate.campaign.round import Round
from migrate.campaign.slices import plain
from migrate.campaign.stage import Asked, Held
from migrate.cli.exits import Exit, worst
from migrate.cli.forges import Reach, reach, with_forge
from migrate.cli.gather import Gathered, gather_with_callers, say_unread, today
from migrate.cli.ignored import ignored_files
from migrate.cli.jobs import side_by_side, with_jobs
from migrate.cli.options import scope, with_scope
from migrate.cli.phases import phase_named, reasoned
from migrate.cli.words import say_answers, say_gates
from migrate.config import Operator
from migrate.errors import RelockError
from migrate.files import Repository, cache, printable
from migrate.forges import GATE
from migrate.leaves import keep_grammar_in
from migrate.model import RepoId
from migrate.reports.spelling import counted
from migrate.steps import BY_PHASE, Phase, Standing, standing


def _phases(context: click.Context, parameter: click.Parameter, values: Sequence[str]) -> tuple[Phase, ...]:
    return tuple(phase_named(context, parameter, value) for value in values)


@with_scope
@with_forge
@click.command("propose")
@click.option(
    "--phase",
    "named",
    multiple=True,
    callback=_phases,
    metavar="PHASE",
    help="Only this phase; may be repeated. Without it: whatever is open.",
)
@click.option("--split", is_flag=True, help="A proposal for each phase, instead of prepare and finish.")
@click.option(
    "--force", metavar="REASON", help="retire: offer it although a gate is not open; REASON stands in it."
)
@click.option("--yes", "writes", is_flag=True, help="Make the proposals; without it, say what would be made.")
@click.option("--dry-run", is_flag=True, expose_value=False, help="The default: nothing is made.")
@with_jobs
def command(*, named: tuple[Phase, ...], split: bool, force: str | None, writes: bool, jobs: int) -> int:
    """Offer what is open now to each repository's owner.

    An open proposal is brought up to date, never made twice; a closed one is a "no"; a branch that holds a
    commit of somebody's is left alone.
    """
    asked, why = scope(), reasoned(force, named)
    if folder := cache(os.environ):
        keep_grammar_in(folder)
    gathered = gather_with_callers(asked)
    say_unread(gathered)
    wanted = Asked(today(), replace(asked.narrowing, examples=False), ignored_files(gathered), why)
    planned = functools.cache(_planner(gathered, wanted, asked.operator.says, named or OFFERED, split=split))
    _say(planned(frozenset()))
    whole = not (named or asked.narrowing.only or asked.narrowing.exclude)
    turns = Round(planned, _settings(asked.operator.says), writes, whole)
    with reach(asked.operator.says, writes=writes) as reached:
        outcomes = list(_outcomes(gathered, turns, reached, jobs))
    if not outcomes:
        click.echo("nothing to offer", err=True)
    return worst([*gathered.exits, *_exits(outcomes, planned(frozenset()), named, wanted)])


def _planner(
    gathered: Gathered, wanted: Asked, says: Operator, phases: Sequence[Phase], *, split: bool
) -> Callable[[frozenset[RepoId]], Planned]:
    held = Held(gathered.inventories, gathered.estate)
    style = Style(says.proposals.contact, says.proposals.deadline, says.proposals.titles)
    one_by_one = Lock()  # a parser serves one thread

    def planned(alone: frozenset[RepoId]) -> Planned:
        with one_by_one:
            return plan(held, wanted, phases, style, How(split, alone))

    return planned


def _outcomes(gathered: Gathered, turns: Round, reached: Reach, jobs: int) -> Iterator[Outcome]:
    """Repository by repository, each outcome said when it is there: a run may be interrupted."""

    def turn(one: tuple[Repository, Inventory]) -> list[Outcome]:
        return list(_turn(*one, turns, reached))

    both = zip(gathered.repositories, gathered.inventories, strict=True)
    for outcomes in side_by_side(jobs, turn, both):
        for outcome in outcomes:
            click.echo(_line(outcome, writes=reached.writes))
            if why := _unmarked(outcome):
                click.echo(printable(f"{outcome.repo} {outcome.branch} {why}"), err=True)
            yield outcome


def _say(planned: Planned) -> None:
    """Each gate once, though *prepare* and drafts ask the same."""
    said = (v for stage in planned.stages for verdicts in stage.verdicts.values() for v in verdicts)
    say_gates(dict.fromkeys(verdict for verdict in said if verdict.worth_saying))
    refusals = dict.fromkeys(r for stage in planned.stages for r in stage.outcome.refusals)
    say_answers(refusals, dict.fromkeys(s for stage in planned.stages for s in stage.outcome.suggestions))


def _settings(says: Operator) -> Settings:
    looks = says.proposals
    prefix = looks.branch or f"tfrelock/{plain(says.campaign or 'default')}"
    return Settings(prefix, looks.labels, looks.message, looks.trailers)


def _unwanted(inventory: Inventory) -> str:
    """Why a repository wants no proposals; one whose configuration cannot be read may have said so there."""
    unread = [f"{mistake.path}: {mistake.why}" for mistake in inventory.told.mistakes]
    return inventory.told.opt_out or "; ".join(unread)


def _turn(repository: Repository, inventory: Inventory, turns: Round, reached: Reach) -> Iterator[Outcome]:
    """A repository that cannot be reached leaves the others theirs."""
    planned = turns.plan(frozenset())
    if not planned.of(repository.id) and not (repository.git and planned.concerns(repository.id)):
        return
    if why := _unwanted(inventory):
        click.echo(printable(f"{repository.id}: nothing is offered: {why}"), err=True)
        return
    try:
        with reached.ports(repository) as ports:
            yield from turns.of(repository.id, ports)
    except RelockError as error:
        yield Withheld(repository.id, turns.settings.prefix, error.what, error.try_this)


def _line(outcome: Outcome, *, writes: bool) -> str:
    return printable(f"{outcome.repo} {outcome.branch} {_said(outcome, writes=writes)}")


def _unmarked(outcome: Outcome) -> str:
    """Why the forge does not show what the gates say; empty where it does."""
    unmarked = outcome.unmarked if isinstance(outcome, Offered | Paused) else None
    return f"has no check {GATE}: {unmarked.why} → {unmarked.settle}" if unmarked else ""


def _said(outcome: Outcome, *, writes: bool) -> str:
    match outcome:
        case Withheld():
            return f"not made: {outcome.why} → {outcome.remedy}"
        case Declined():
            return f"declined: {outcome.state.url} is closed; open it again to have it brought up to date"
        case Paused():
            return f"{_act(outcome, writes=writes)}, not to be merged: {outcome.why} {outcome.state.url}"
        case Offered():
            where = f" {outcome.state.url}" if outcome.state else ""
            files = counted(outcome.files, "file")
            what = f"{outcome.title} ({files}){', a draft' if outcome.draft else ''}"
            return f"{_act(outcome, writes=writes)}: {what}{where}"


def _act(done: Offered | Paused, *, writes: bool) -> str:
    words = {
        "open": ("opened", "would open"),
        "update": ("updated", "would update"),
        "none": ("stands", "stands"),
    }
    return words[done.act][0 if writes else 1]


def _exits(
    outcomes: Iterable[Outcome], planned: Planned, named: Sequence[Phase], asked: Asked
) -> Iterator[Exit]:
    """Gates count for phases that were asked for by name."""
    if any(isinstance(outcome, Withheld) or _unmarked(outcome) for outcome in outcomes):
        yield Exit.PARTIAL
    if any(stage.outcome.refusals for stage in planned.stages):
        yield Exit.PARTIAL
    for stage in planned.stages:
        if stage.phase in named and BY_PHASE[stage.phase].gates:
            forced = asked.forces(stage.phase)
            found = {standing(verdicts, forced=forced) for verdicts in stage.verdicts.values()}
            yield from (_BY_STANDING[one] for one in found & _BY_STANDING.keys())


_BY_STANDING = {Standing.CLOSED: Exit.CLOSED, Standing.UNKNOWN: Exit.UNKNOWN}
