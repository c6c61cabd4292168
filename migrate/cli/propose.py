"""`tfrelock propose`: a branch and a proposal for what is open now; made only when told."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import click
from msgspec.structs import replace

from migrate.campaign.offering.offers import OFFERED, Planned
from migrate.campaign.phases.stage import Asked
from migrate.campaign.proposing.outcomes import Outcome, Withheld
from migrate.campaign.proposing.round import Round, Unsettled
from migrate.campaign.reading.inventory import Inventory
from migrate.cli.committed import loose, stale
from migrate.cli.exits import Exit, worst
from migrate.cli.forges import reach, say_dry, with_forge
from migrate.cli.gather import Gathered, gather_with_callers, today
from migrate.cli.jobs import side_by_side, with_jobs
from migrate.cli.limits import limits
from migrate.cli.offering import line, planner, say_lacks, settings, turn
from migrate.cli.options import Scope, scope, with_branches, with_judging, with_scope, with_yes
from migrate.cli.phases import HELD, phase_offered, reasoned
from migrate.cli.reach import Reach
from migrate.cli.voice import hint, with_voice
from migrate.cli.words import say_answers, say_gates
from migrate.files import Repository
from migrate.steps import BY_PHASE, Phase, standing


def _phases(context: click.Context, parameter: click.Parameter, values: Sequence[str]) -> tuple[Phase, ...]:
    return tuple(phase_offered(context, parameter, value) for value in values)


@with_voice
@with_scope
@with_judging
@with_branches
@with_forge
@click.command("propose")
@click.option(
    "--phase",
    "named",
    multiple=True,
    callback=_phases,
    metavar="PHASE",
    help="Only this phase (repeatable); without it, whatever is open.",
)
@click.option("--split", is_flag=True, help="A proposal for each phase, not prepare and finish.")
@click.option(
    "--force", metavar="REASON", help="retire: offer it although a gate is not open; REASON stands in it."
)
@with_yes(help="Make the proposals; without it, say what would be made.")
@with_jobs
def command(*, named: tuple[Phase, ...], split: bool, force: str | None, writes: bool, jobs: int) -> int:
    """Offer what is open now to each repository's owner.

    An open proposal is brought up to date, never made twice; a closed one is a "no"; a branch that holds a
    commit of somebody's is left alone.
    """
    asked, why = scope(), reasoned(force, named)
    gathered = gather_with_callers(asked)
    wanted = Asked(today(), limits(gathered, replace(gathered.own, examples=False)), why)
    planned = planner(gathered, wanted, asked.operator.says, named or OFFERED, split=split)
    _say(planned(frozenset()))
    whole = not (named or asked.narrowing.only or asked.exclude)
    stray = loose(gathered, planned(frozenset()), asked, jobs)
    with reach(asked.operator.says, writes=writes) as reached:
        gated = any(slice_.gated for slice_ in planned(frozenset()).slices)
        if gated and len(gathered.repositories) > 1:  # of one alone its own turn tells
            stray = {**stale(gathered, reached, asked, jobs), **stray}
        unsettled = Unsettled(stray)
        turns = Round(planned, settings(asked.operator.says), writes, whole, unsettled=unsettled)
        outcomes = list(_outcomes(gathered, turns, reached, asked, jobs))
    if not outcomes:
        hint("nothing to offer")
    elif not writes:
        say_dry(reached)
    lacking = [Exit.PARTIAL] if say_lacks(outcomes) else []
    return worst([*gathered.exits, *lacking, *_exits(outcomes, planned(frozenset()), named, wanted)])


def _outcomes(gathered: Gathered, turns: Round, reached: Reach, asked: Scope, jobs: int) -> Iterator[Outcome]:
    """Repository by repository, each outcome said when it is there: a run may be interrupted."""

    def outcomes_of(one: tuple[Repository, Inventory]) -> list[Outcome]:
        return list(turn(*one, turns, reached, asked))

    for outcomes in side_by_side(jobs, outcomes_of, gathered.pairs):
        for outcome in outcomes:
            click.echo(line(outcome, writes=reached.writes))
            yield outcome


def _say(planned: Planned) -> None:
    """Each gate once, though *prepare* and drafts ask the same."""
    said = (v for stage in planned.stages for verdicts in stage.verdicts.values() for v in verdicts)
    say_gates(dict.fromkeys(verdict for verdict in said if verdict.worth_saying))
    refusals = dict.fromkeys(r for stage in planned.stages for r in stage.outcome.refusals)
    say_answers(refusals, dict.fromkeys(s for stage in planned.stages for s in stage.outcome.suggestions))


def _exits(
    outcomes: Iterable[Outcome], planned: Planned, named: Sequence[Phase], asked: Asked
) -> Iterator[Exit]:
    """Gates count for phases that were asked for by name."""
    if any(isinstance(outcome, Withheld) for outcome in outcomes):
        yield Exit.PARTIAL
    if any(stage.outcome.refusals for stage in planned.stages):
        yield Exit.PARTIAL
    for stage in planned.stages:
        if stage.phase in named and BY_PHASE[stage.phase].gates:
            forced = asked.forces(stage.phase)
            found = {standing(verdicts, forced=forced) for verdicts in stage.verdicts.values()}
            yield from (HELD[one] for one in found & HELD.keys())
