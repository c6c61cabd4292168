"""The plan as one page for a browser: the merge order, then each state with its steps."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Final

from migrate.model import Verdict
from migrate.report import Plan, Planned, StackPlan
from migrate.reports.html_page import Html, bar, fold, page, section, tag
from migrate.reports.spelling import counted
from migrate.steps import Standing

_STANDINGS: Final = {
    Standing.DONE: "grey",
    Standing.OPEN: "good",
    Standing.UNKNOWN: "odd",
    Standing.REFUSED: "warn",
    Standing.CLOSED: "bad",
}


def render(report: Plan, /) -> str:
    steps = [step for stack in report.stacks for step in stack.steps]
    counts = Counter(step.standing for step in steps)
    return page(
        f"Plan for {counted(len(report.stacks), 'state')}",
        bar(
            "Steps",
            {standing.value: counts[standing] for standing in _STANDINGS},
            {standing.value: colour for standing, colour in _STANDINGS.items()},
        ),
        section("Merge order", list(_order(report, steps))),
        section("States", [_state(stack) for stack in report.stacks]),
    )


def _order(report: Plan, steps: Iterable[Planned]) -> Iterator[Html]:
    """The phases that are left, each with the repositories it touches."""
    by_id = {step.id: step for step in steps}
    left = [by_id[step_id] for step_id in report.order]
    for number, phase in enumerate(dict.fromkeys(step.phase for step in left), 1):
        repositories = sorted({step.repo for step in left if step.phase == phase})
        head = (f"{number}. {phase} ", tag("span", f"({len(repositories)})", class_="soft"))
        yield fold(head, tag("ul", *(tag("li", repo) for repo in repositories)))


def _state(plan: StackPlan) -> Html:
    standings = [
        tag("span", f" · {s.phase} {s.standing.value}", class_=_STANDINGS[s.standing]) for s in plan.steps
    ]
    where = sorted({f"{backend.repo} {backend.root}/" for backend in plan.stack.backends})
    return fold(
        (tag("code", plan.stack.id), tag("span", *standings, class_="soft")),
        tag("p", plan.now, class_="soft"),
        tag("ul", *(tag("li", tag("code", place)) for place in where)),
        tag("ol", *(_step(step) for step in plan.steps)),
    )


def _step(step: Planned) -> Html:
    standing = tag("span", step.standing.value, class_=_STANDINGS[step.standing])
    said = [_reason(verdict) for verdict in dict.fromkeys(step.because)]
    run = [tag("li", tag("code", f"tfrelock propose --phase {step.phase}"))] * (
        step.standing is Standing.OPEN
    )
    return tag("li", step.phase, " in ", step.repo, " ", standing, tag("ul", *run, *said))


def _reason(verdict: Verdict) -> Html:
    settle = [tag("code", f" → {verdict.settle}")] if verdict.settle else []
    return tag("li", f"{verdict.rule} ({verdict.by}): {verdict.placed}", *settle)
