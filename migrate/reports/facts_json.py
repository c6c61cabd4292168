"""`tfrelock.fact/1`: what was seen, as `--facts` reads it; before anything is asked, the requests instead."""

from __future__ import annotations

from migrate.reports.spelling import Json, dumps
from migrate.weighed import Asked

_HOLDS = {True: "yes", False: "no", None: "unknown"}


def render(report: Asked, /) -> str:
    facts: list[Json] = [
        {
            "that": fact.that,
            "state": fact.state,
            "holds": _HOLDS[fact.holds],
            "role": fact.role,
            "at": fact.at,
            "because": fact.because,
        }
        for fact in report.facts
    ]
    requests: dict[str, Json] = {"requests": list(report.requests)} if report.requests else {}
    return dumps({"schema": "tfrelock.fact/1", "facts": facts, **requests})
