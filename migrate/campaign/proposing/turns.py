"""What a turn did, as events of a campaign, and where the states of a repository stand."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from migrate.campaign.offering.slices import branch_named
from migrate.campaign.proposing.outcomes import Declined, Offered, Outcome, Paused, Withheld
from migrate.forges import Review
from migrate.model import ProposalState, RepoId
from migrate.progress import SLICES, Event, events
from migrate.report import Plan
from migrate.steps import Standing


def slice_named(branch: str, prefix: str) -> str:
    """The slice whose branch this is, or a part of one (its folder after a dash); empty: none of ours."""
    rest = branch.removeprefix(f"{prefix}/")
    return next((name for name in SLICES if rest == name or rest.startswith(f"{name}-")), "")


def told(outcomes: Iterable[Outcome], prefix: str, due: Iterable[str]) -> Iterator[Event]:
    """The events of a turn; one that did not begin at all is noted for each slice that was `due`."""
    for outcome in outcomes:
        match outcome:
            case Withheld(repo, branch, why, remedy, stands_) if slice_named(branch, prefix):
                if stands_:
                    yield seen(repo, stands_, prefix)
                yield events.Withheld(repo, slice_named(branch, prefix), branch, why, remedy)
            case Withheld(repo, _, why, remedy):
                for name in sorted(due):
                    yield events.Withheld(repo, name, branch_named(name, prefix), why, remedy)
            case (
                Offered(repo=repo, state=state)
                | Declined(repo=repo, state=state)
                | Paused(repo=repo, state=state)
            ):
                if state:
                    yield seen(repo, state, prefix)


def seen(repo: RepoId, state: ProposalState, prefix: str, review: Review | None = None) -> events.Proposed:
    """What a forge shows of a proposal of `repo`, as that is called here.

    Without a `review` what was known of it stays.
    """
    return events.Proposed(
        repo=repo,
        slice=slice_named(state.branch, prefix),
        branch=state.branch,
        standing=state.standing,
        draft="yes" if state.draft else "no",
        title=state.title,
        number=state.number,
        url=state.url,
        head=state.head,
        reviews=review.reviews if review else "",
        checks=review.checks if review else "",
    )


def stands(plan: Plan, repo: RepoId) -> Iterator[events.Stands]:
    """For each state of a repository the first of its steps there that is not done."""
    for stack in plan.stacks:
        here = [step for step in stack.steps if step.repo == repo]
        step = next((one for one in here if one.standing is not Standing.DONE), None)
        if step:
            because = next((verdict.placed for verdict in step.because), "")
            yield events.Stands(
                repo, str(stack.stack.id), stack.now, step.phase, step.standing.value, because
            )
        elif any(backend.repo == repo for backend in stack.stack.backends):
            yield events.Stands(repo, str(stack.stack.id), stack.now, "", Standing.DONE.value, "")
