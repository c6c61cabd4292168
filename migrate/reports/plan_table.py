"""The plan for a terminal: each state with its steps, what holds them back, and the merge order over all
repositories.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from migrate.model import Verdict
from migrate.report import Plan, Planned, StackPlan
from migrate.reports import spelling
from migrate.reports.spelling import printable
from migrate.steps import Standing

NAME = "table"


def render(report: Plan, /) -> str:
    if not report.stacks:
        return "no S3 backend found: nothing to migrate\n"
    blocks = ["\n".join(_stack(stack)) for stack in report.stacks]
    return "\n\n".join([*blocks, "\n".join(_order(report))]) + "\n"


def _stack(plan: StackPlan) -> Iterator[str]:
    stack = plan.stack
    table = spelling.table(stack)
    where = ", ".join(printable(f"{b.repo}  {b.root}/") for b in stack.backends[:2])
    named = (spelling.value(table.name) or "named by an expression") if table else None
    region = f" ({spelling.value(table.region)})" if table and spelling.value(table.region) else ""
    yield f"{printable(stack.id)}   {where}" + (f"   table {printable(named)}{region}" if named else "")
    yield f"  now   {printable(plan.now)}"
    for number, step in enumerate(plan.steps, 1):
        yield from _step(number, step)


def _step(number: int, step: Planned) -> Iterator[str]:
    head = f"  {number}  {step.phase:<10} {step.standing.value:<8}"
    reasons = [*dict.fromkeys(_reason(verdict) for verdict in step.because)]
    if step.standing is Standing.OPEN:
        reasons = [f"tfrelock propose --phase {step.phase}", *reasons]
    yield f"{head} {reasons[0] if reasons else ''}".rstrip()
    yield from (f"{'':{len(head)}} {reason}" for reason in reasons[1:])


def _reason(verdict: Verdict) -> str:
    settle = f" → {printable(verdict.settle.splitlines()[0])}" if verdict.settle else ""
    return f"{printable(verdict.because)}{settle}"


def _order(plan: Plan) -> Iterator[str]:
    """The phases that are left, in merge order, each with the repositories it touches."""
    steps = {step.id: step for stack in plan.stacks for step in stack.steps}
    left = [steps[step_id] for step_id in plan.order]
    phases = list(dict.fromkeys(step.phase for step in left))
    if not phases:
        yield "Every state is locked with the lockfile only: nothing is left to merge."
        return
    yield f"Merge order here: {' → '.join(phases)}."
    for phase in phases:
        yield f"  {phase}: {', '.join(_repositories(step for step in left if step.phase == phase))}"


def _repositories(steps: Iterable[Planned]) -> list[str]:
    return sorted({printable(step.repo) for step in steps})
