"""`tfrelock.iam-diff/1`: each live document as it should be, with its patch, commands and way back."""

from __future__ import annotations

import json

from migrate.reports.spelling import Json, dumps
from migrate.weighed import Cured, LiveChange


def render(report: Cured, /) -> str:
    return dumps(
        {
            "schema": "tfrelock.iam-diff/1",
            "changes": [_change(one) for one in report.changes],
            "refusals": [
                {"holder": str(one.where.path), "why": one.why, "remedy": one.remedy}
                for one in report.refusals
            ],
            "untold": [str(state) for state in report.untold],
            "notes": list(report.notes),
        }
    )


def _change(one: LiveChange) -> Json:
    return {
        "account": one.account,
        "policy": one.name,
        "holders": list(one.holders),
        "before": json.loads(one.before) if one.before else None,
        "after": json.loads(one.after),
        "patch": json.loads(one.patch),
        "file": one.file,
        "undo_file": one.undo_file if one.before else None,
        "commands": list(one.commands),
        "undo": list(one.undo),
    }
