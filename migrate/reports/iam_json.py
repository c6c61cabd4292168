"""`tfrelock.iam/1`: the verdict on every holder and lock, with all that decided it, for programs."""

from __future__ import annotations

from collections import Counter

from migrate.iam.holder import Holder, Row
from migrate.iam.layers import Layer
from migrate.iam.locks import Class, Finding
from migrate.reports import verdict_words
from migrate.reports.spelling import Json, dumps
from migrate.weighed import Checked


def render(report: Checked, /) -> str:
    return dumps(
        {
            "schema": "tfrelock.iam/1",
            "summary": _summary(report),
            "holders": [_holder(holder, none) for holder, none in report.others],
            "aside": [str(holder) for holder in report.aside],
            "untold": [str(state) for state in report.untold],
            "verdicts": [_row(row) for row in report.rows],
            "notes": list(report.notes),
        }
    )


def _summary(report: Checked) -> Json:
    classes = Counter(row.verdict.outcome for row in report.rows)
    none = sum(number for _, number in report.others)
    counts: dict[str, Json] = {one.value: classes[one] for one in Class if one is not Class.NOT_A_LOCKER}
    return {"holders": len(report.others), "states": report.states, **counts, Class.NOT_A_LOCKER.value: none}


def _holder(holder: Holder, none: int) -> Json:
    return {
        "id": str(holder),
        "arn": holder.caller.arn if holder.caller.account else None,
        "by": holder.by,
        "repository": holder.where.repo if holder.where else None,
        "path": str(holder.where.path) if holder.where else None,
        "line": holder.where.line if holder.where else None,
        "layers": [_layer(layer) for layer in holder.layers],
        Class.NOT_A_LOCKER.value: none,
    }


def _layer(layer: Layer) -> Json:
    names: list[Json] = [policy.name for policy in layer.policies]
    return {"kind": layer.kind.value, "policies": names, "unseen": layer.hidden or None}


def _row(row: Row) -> Json:
    verdict = row.verdict
    workspaces = dict(verdict.workspaces) | dict(row.elsewhere.workspaces if row.elsewhere else {})
    return {
        "holder": str(row.holder),
        "state": str(row.state),
        "class": verdict.outcome.value,
        "by": row.holder.by,
        "workspaces": {verdict_words.workspace(one): found.value for one, found in workspaces.items()},
        "uses_workspaces": row.elsewhere is None and len(verdict.workspaces) > 1,
        "actions": [_action(one) for one in verdict.asked],
        "doubts": [{"kind": one.kind, "name": one.name, "element": one.element} for one in verdict.doubts],
        "unseen": list(verdict.unseen),
        "assumed": list(row.assumed),
        "remedy": verdict_words.remedy(row) or None,
    }


def _action(one: Finding) -> Json:
    decision = one.decision
    return {
        "act": one.need.act,
        "action": one.need.request.action,
        "resource": str(one.need.request.resource),
        "answer": decision.answer.value,
        "layer": decision.layer or None,
        "sid": decision.statement.sid if decision.statement else None,
        "where": decision.statement.where if decision.statement else None,
        "message": verdict_words.reason(decision),
    }
