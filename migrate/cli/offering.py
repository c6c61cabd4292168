"""What `propose` and a campaign share: what is open now, one repository's turn, and how it is said."""

from __future__ import annotations

import functools
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from threading import Lock

from migrate.campaign.offering.offers import Planned, plan
from migrate.campaign.offering.slices import plain
from migrate.campaign.offering.slicing import How, Style
from migrate.campaign.phases.stage import Asked, Held
from migrate.campaign.proposing.outcomes import Declined, Offered, Outcome, Paused, Withheld
from migrate.campaign.proposing.ports import Ports
from migrate.campaign.proposing.propose import Settings
from migrate.campaign.proposing.round import Round
from migrate.campaign.reading.inventory import Inventory
from migrate.cli.committed import behind
from migrate.cli.gather import Gathered
from migrate.cli.options import Scope
from migrate.cli.reach import Reach
from migrate.cli.voice import Progress, wrong
from migrate.config import Operator
from migrate.errors import RelockError
from migrate.files import Repository, printable
from migrate.forges import GATE
from migrate.model import RepoId, Unknown
from migrate.reports.spelling import counted
from migrate.steps import Phase


def planner(
    gathered: Gathered, wanted: Asked, says: Operator, phases: Sequence[Phase], *, split: bool
) -> Callable[[frozenset[RepoId]], Planned]:
    """What is open among `phases`, given the repositories whose dual lock has a proposal of its own."""
    held = Held(gathered.inventories, gathered.estate)
    style = Style(says.proposals.contact, says.proposals.deadline, says.proposals.titles)
    one_by_one = Lock()  # a parser serves one thread

    def planned(alone: frozenset[RepoId]) -> Planned:
        with one_by_one, Progress("making edits:"):
            return plan(held, wanted, phases, style, How(split, alone))

    return functools.cache(planned)


def settings(says: Operator, campaign: str = "") -> Settings:
    """How proposals look; `campaign` is its name where none is configured."""
    looks = says.proposals
    prefix = looks.branch or f"tfrelock/{plain(says.campaign or campaign or 'default')}"
    return Settings(prefix, looks.labels, looks.reviewers, looks.message, looks.trailers)


def unwanted(inventory: Inventory) -> str:
    """Why a repository wants no proposals; one whose configuration cannot be read may have said so there."""
    unread = [f"{mistake.place}: {mistake.why}" for mistake in inventory.told.mistakes]
    return inventory.told.opt_out or "; ".join(unread)


def turn(
    repository: Repository, inventory: Inventory, turns: Round, reached: Reach, asked: Scope
) -> Iterator[Outcome]:
    """A repository that cannot be reached leaves the others theirs. Where nothing is left to do something may
    stand open still: a campaign knows where.
    """
    planned, known = turns.plan(frozenset()), turns.only is not None and repository.id in turns.only
    if not (known or planned.of(repository.id) or (repository.git and planned.concerns(repository.id))):
        return
    prefix, why = turns.settings.at(repository.id).prefix, unwanted(inventory)
    if why:
        wrong(printable(f"{repository.id}: nothing is offered: {why}"))
    try:
        with reached.ports(repository) as ports:
            if why:
                yield from turns.ending(repository.id, ports, f"Nothing is offered here any more: {why}.")
            elif why_not := turns.unsettled.loose.get(repository.id) or _behind(
                repository, inventory, ports, asked
            ):
                yield Withheld(repository.id, prefix, why_not.why, why_not.settle)
            else:
                yield from turns.of(repository.id, ports)
    except RelockError as error:
        yield Withheld(repository.id, prefix, error.what, error.try_this)


def _behind(repository: Repository, inventory: Inventory, ports: Ports, asked: Scope) -> Unknown | None:
    return behind(repository, inventory, ports.commits.base, ports.held, asked) if ports.held else None


def line(outcome: Outcome, *, writes: bool) -> str:
    """What was done, or would be, in one line."""
    return printable(f"{outcome.repo} {outcome.branch} {_said(outcome, writes=writes)}")


def say_lacks(outcomes: Iterable[Outcome]) -> bool:
    """Say once each what is lacking beside proposals that stand, and which these are.

    Gives whether any has no check of its gates: that was to be done and was not.
    """
    lacks: dict[tuple[str, str], list[str]] = defaultdict(list)
    unchecked = False
    for outcome in outcomes:
        for why, settle in _lacks(outcome):
            lacks[why, settle].append(f"{outcome.repo} {outcome.branch}")
        unchecked = unchecked or (isinstance(outcome, Offered | Paused) and outcome.unmarked is not None)
    for (why, settle), which in lacks.items():
        lines = [f"{counted(len(which), 'proposal')}: {why} → {settle}", *(f"  {one}" for one in which)]
        wrong("\n".join(map(printable, lines)))
    return unchecked


def _lacks(outcome: Outcome) -> Iterator[tuple[str, str]]:
    if isinstance(outcome, Offered | Paused) and outcome.unmarked is not None:
        yield f"no check {GATE}, {outcome.unmarked.why}", outcome.unmarked.settle
    for doubt in outcome.doubts if isinstance(outcome, Offered) else ():
        yield doubt.why, doubt.settle


def _said(outcome: Outcome, *, writes: bool) -> str:
    match outcome:
        case Withheld(stands=seen):
            lacks = f"not brought up to date ({seen.url})" if seen else "not made"
            return f"{lacks}: {outcome.why} → {outcome.remedy}"
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
