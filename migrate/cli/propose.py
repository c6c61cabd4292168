"""`tfrelock propose`: a branch and a proposal for what is open now; made only when told."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

import click

from migrate.campaign.inventory import Inventory
from migrate.campaign.offers import OFFERED, Planned, Style, plan
from migrate.campaign.propose import Declined, Offered, Outcome, Settings, Withheld, propose
from migrate.campaign.slices import Slice, branch, parted, plain
from migrate.campaign.stage import Asked, Held, Stage
from migrate.cli.exits import Exit, worst
from migrate.cli.forges import Reach, reach, with_forge
from migrate.cli.gather import Gathered, gather, ignored_files, today
from migrate.cli.options import phase_named, scope, with_scope
from migrate.cli.words import say_answers, say_gates
from migrate.config import Operator
from migrate.errors import RelockError
from migrate.files import Repository, cache, printable
from migrate.model import Outcome as Answer
from migrate.proof import keep_grammar_in
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
def command(*, named: tuple[Phase, ...], split: bool, force: str | None, writes: bool) -> int:
    """Offer what is open now to each repository's owner.

    An open proposal is brought up to date, never made twice; a closed one is a "no"; a branch that holds a
    commit of somebody's is left alone.
    """
    asked = scope()
    if folder := cache(os.environ):
        keep_grammar_in(folder)
    gathered = gather(asked)
    narrowing = replace(asked.narrowing, examples=False)
    wanted = Asked(today(), narrowing, ignored_files(gathered), force)
    held = Held(gathered.inventories, gathered.estate)
    looks = asked.operator.says.proposals
    style = Style(looks.contact, looks.deadline, looks.titles)
    planned = plan(held, wanted, named or OFFERED, style, split=split)
    _say(planned)
    with reach(asked.operator.says, writes=writes) as reached:
        outcomes = list(_propose(gathered, planned, reached, _settings(asked.operator.says)))
    for outcome in outcomes:
        click.echo(_line(outcome, writes=writes))
    if not outcomes:
        click.echo("nothing to offer", err=True)
    return worst([*gathered.exits, *_exits(outcomes, planned, named)])


def _say(planned: Planned) -> None:
    for stage in planned.stages:
        say_gates(v for said in stage.verdicts.values() for v in said if v.outcome is not Answer.HOLDS)
        say_answers(stage.outcome.refusals, stage.outcome.suggestions)


def _settings(says: Operator) -> Settings:
    looks = says.proposals
    prefix = looks.branch or f"tfrelock/{plain(says.campaign or 'default')}"
    return Settings(prefix, looks.labels, looks.message, looks.trailers)


def _propose(gathered: Gathered, planned: Planned, reached: Reach, settings: Settings) -> Iterator[Outcome]:
    """Repository by repository; one that cannot be reached leaves the others theirs."""
    for repository, inventory in zip(gathered.repositories, gathered.inventories, strict=True):
        slices = [part for s in planned.slices if s.offer.repo == repository.id for part in parted(s)]
        if slices and (why := _unwanted(inventory)):
            click.echo(printable(f"{repository.id}: nothing is offered: {why}"), err=True)
        elif slices:
            yield from _of_one(repository, slices, reached, settings)


def _unwanted(inventory: Inventory) -> str:
    """Why a repository wants no proposals; one whose configuration cannot be read may have said so there."""
    unread = [f"{mistake.path}: {mistake.why}" for mistake in inventory.told.mistakes]
    return inventory.told.opt_out or "; ".join(unread)


def _of_one(
    repository: Repository, slices: Sequence[Slice], reached: Reach, settings: Settings
) -> Iterator[Outcome]:
    done: list[str] = []
    try:
        with reached.ports(repository) as ports:
            for slice_ in slices:
                yield propose(slice_, ports, settings, write=reached.writes)
                done.append(slice_.name)
    except RelockError as error:
        left = next(slice_ for slice_ in slices if slice_.name not in done)
        yield Withheld(
            repository.id, branch(left, settings.prefix), str(error).splitlines()[0], error.try_this
        )


def _line(outcome: Outcome, *, writes: bool) -> str:
    return printable(f"{outcome.repo} {outcome.branch} {_said(outcome, writes=writes)}")


def _said(outcome: Outcome, *, writes: bool) -> str:
    match outcome:
        case Withheld():
            return f"not made: {outcome.why} → {outcome.remedy}"
        case Declined():
            return f"declined: {outcome.state.url} is closed; open it again to have it brought up to date"
        case Offered():
            where = f" {outcome.state.url}" if outcome.state else ""
            what = f"{outcome.title} ({outcome.files} files){', a draft' if outcome.draft else ''}"
            return f"{_act(outcome, writes=writes)}: {what}{where}"


def _act(offered: Offered, *, writes: bool) -> str:
    words = {
        "open": ("opened", "would open"),
        "update": ("updated", "would update"),
        "none": ("stands", "stands"),
    }
    return words[offered.act][0 if writes else 1]


def _exits(outcomes: Iterable[Outcome], planned: Planned, named: Sequence[Phase]) -> Iterator[Exit]:
    """Gates count for phases that were asked for by name."""
    if any(isinstance(outcome, Withheld) for outcome in outcomes):
        yield Exit.PARTIAL
    if any(stage.outcome.refusals for stage in planned.stages):
        yield Exit.PARTIAL
    for stage in planned.stages:
        if stage.phase in named and BY_PHASE[stage.phase].gates:
            yield from (_BY_STANDING[s] for s in _standings(stage) if s in _BY_STANDING)


_BY_STANDING = {Standing.CLOSED: Exit.CLOSED, Standing.UNKNOWN: Exit.UNKNOWN}


def _standings(stage: Stage) -> Iterator[Standing]:
    return (standing(verdicts) for verdicts in stage.verdicts.values())
