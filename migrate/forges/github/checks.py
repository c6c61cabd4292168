"""What gates say, as a check run: it knows "neutral", and only an App may make one."""

from __future__ import annotations

from typing import Final

from migrate.forges.answer import Json, plain, text, tree_of, trees_of
from migrate.forges.forge import GATE
from migrate.forges.wire import Wire
from migrate.model import Check, Outcome, Unknown

CONCLUSIONS: Final = {Outcome.HOLDS: "success", Outcome.UNKNOWN: "neutral", Outcome.BROKEN: "failure"}


def check_run(wire: Wire, path: str, commit: str, check: Check) -> Unknown | None:
    """Show what the gates say as a check run; Unknown where the token is no App's, or of one that may not."""
    query = {"check_name": GATE, "filter": "latest"}
    shown = wire.get(f"{path}/commits/{commit}/check-runs", query=query)
    conclusion, title = CONCLUSIONS[check.outcome], plain(check.says, 140)
    wanted: Json = {
        "name": GATE,
        "head_sha": commit,
        "status": "completed",
        "conclusion": conclusion,
        "output": {"title": title, "summary": plain(check.says, 1000)},
    }
    if shown.status not in (403, 404):
        runs = trees_of(shown, path, "check_runs")[:1]
        if [(text(run, "conclusion"), text(run, "output", "title")) for run in runs] == [(conclusion, title)]:
            return None
        shown = wire.add(f"{path}/check-runs", wanted)
    if shown.status in (403, 404):
        return Unknown("the App may not make a check run here", "give it checks: write")
    tree_of(shown, path)
    return None
