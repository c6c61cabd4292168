"""`tfrelock.plan/1`: the plan for programs."""

from __future__ import annotations

from migrate.model import Verdict
from migrate.report import Plan, Planned
from migrate.reports.spelling import Json, dumps


def render(report: Plan, /) -> str:
    return dumps(
        {
            "schema": "tfrelock.plan/1",
            "states": [
                {"id": str(plan.stack.id), "now": plan.now, "steps": [_step(step) for step in plan.steps]}
                for plan in report.stacks
            ],
            "order": list(report.order),
        }
    )


def _step(step: Planned) -> Json:
    return {
        "id": step.id,
        "phase": step.phase,
        "repository": step.repo,
        "status": step.standing.value,
        "because": [_verdict(verdict) for verdict in step.because],
        "after": list(step.after),
    }


def _verdict(verdict: Verdict) -> Json:
    return {
        "gate": verdict.rule,
        "outcome": verdict.outcome.value,
        "by": verdict.by,
        "message": verdict.because,
        "settle": verdict.settle,
        "path": str(verdict.where.path) if verdict.where else None,
        "line": verdict.where.line if verdict.where else None,
    }
