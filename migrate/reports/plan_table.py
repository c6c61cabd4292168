"""The plan for a terminal: each state with its steps, what holds them back, and the merge order over all
repositories.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from migrate.model import Outcome, Verdict
from migrate.report import Plan, Planned, StackPlan
from migrate.reports import spelling
from migrate.reports.layout import Either, Line, Prose
from migrate.reports.spelling import printable
from migrate.steps import Standing

_SHOWN: Final = 8
"""States of which the same is said, before the rest are counted."""
_REASONS: Final = 3
"""Reasons that one act would settle, before the rest are counted."""


def lines(report: Plan, /) -> Iterator[Line]:
    if not report.stacks:
        yield "no S3 backend found"
        return
    alike: dict[tuple[Line, ...], list[StackPlan]] = defaultdict(list)
    for plan in report.stacks:
        alike[tuple(_body(plan))].append(plan)
    for body, plans in alike.items():
        yield from map(_head, plans[:_SHOWN])
        if len(plans) > _SHOWN:
            yield f"… and {len(plans) - _SHOWN} more of which the same is said (--format json lists all)"
        yield from (*body, "")
    yield from _order(report)
    yield from _how_to_state(report)


def _head(plan: StackPlan) -> Line:
    """Which state, where it is written and in which table it is locked; on two lines if one is too short."""
    stack = plan.stack
    table = spelling.table(stack)
    where = ", ".join(printable(f"{b.repo}  {b.root}/") for b in stack.backends[:2])
    named = (spelling.value(table.name) or "named by an expression") if table else None
    region = f" ({spelling.value(table.region)})" if table and spelling.value(table.region) else ""
    about = where + (f"   table {printable(named)}{region}" if named else "")
    name = printable(stack.id)
    return Either(f"{name}   {about}", (name, Prose("  ", about, 4)))


def _body(plan: StackPlan) -> Iterator[Line]:
    """What is said of a state: its steps by number. States of which the same is said share it."""
    yield f"  now   {printable(plan.now)}"
    numbers = {step.id: number for number, step in enumerate(plan.steps, 1)}
    home = {backend.repo for backend in plan.stack.backends}
    for step in plan.steps:
        elsewhere = f" in {printable(step.repo)}" if len(home | {step.repo}) > 1 else ""
        yield from _step(step, numbers, elsewhere)


def _step(step: Planned, numbers: Mapping[str, int], elsewhere: str) -> Iterator[Line]:
    head = f"  {numbers[step.id]}  {step.phase:<10} {step.standing.value:<8} "
    alike: dict[str, list[str]] = defaultdict(list)
    if step.standing is Standing.OPEN:
        alike[""].append(f"tfrelock propose --phase {step.phase}{elsewhere}")
    for because, settle in dict.fromkeys(_reasons(step, numbers)):
        alike[settle].append(because)
    for settle, becauses in (alike or {"": [""]}).items():
        yield from _told(head, becauses, settle)
        head = " " * len(head)


def _told(head: str, becauses: Sequence[str], settle: str) -> Iterator[Line]:
    """What one act would settle; it stands on a line of its own where one line is too short for both."""
    below = " " * len(head)
    arrow = Prose(f"{below}→ ", settle, len(head) + 2)
    if len(becauses) == 1:
        one = " → ".join(filter(None, (*becauses, settle)))
        parts = (Prose(head, becauses[0], len(head)), *((arrow,) if settle else ()))
        yield Either(f"{head}{one}".rstrip(), parts)
        return
    for because in becauses[:_REASONS]:
        yield Prose(head, because, len(head))
        head = below
    if len(becauses) > _REASONS:
        yield f"{below}… and {len(becauses) - _REASONS} more (--format json lists all)"
    if settle:
        yield arrow


def _reasons(step: Planned, numbers: Mapping[str, int]) -> Iterator[tuple[str, str]]:
    """Each with what settles it. What source has against retire is what earlier steps change; their numbers
    say it shorter.
    """
    before = [str(numbers[name]) for name in step.after if name in numbers]
    waits = bool(before) and step.phase == "retire"
    if waits:
        yield f"after {', '.join(before)}", ""
    for verdict in step.because:
        if not (waits and verdict.outcome is Outcome.BROKEN and verdict.by == "source"):
            yield _reason(verdict)


def _reason(verdict: Verdict) -> tuple[str, str]:
    stated = f"{verdict.rule} is stated by " if verdict.by == "stated" else ""
    settle = printable(verdict.settle.splitlines()[0]) if verdict.settle else ""
    return f"{stated}{printable(verdict.placed)}", settle


def _how_to_state(report: Plan) -> Iterator[Line]:
    verdicts = (v for plan in report.stacks for step in plan.steps for v in step.because)
    if gate := next((verdict.rule for verdict in verdicts if "facts: " in verdict.settle), None):
        yield Prose("facts: ", spelling.how_to_state(gate), 2)


def _order(plan: Plan) -> Iterator[Line]:
    """The phases that are left, in merge order, each with the repositories it touches."""
    steps = {step.id: step for stack in plan.stacks for step in stack.steps}
    left = [steps[step_id] for step_id in plan.order]
    phases = list(dict.fromkeys(step.phase for step in left))
    if not phases:
        yield "Every state is locked with the lockfile only: nothing is left to merge."
        return
    yield f"Merge order here: {' → '.join(phases)}."
    for phase in phases:
        repositories = sorted({printable(step.repo) for step in left if step.phase == phase})
        yield Prose(f"  {phase}: ", ", ".join(repositories), 4)
