"""`tfrelock.reinit/1`: how each directory stands, or what became of it."""

from __future__ import annotations

from collections.abc import Sequence

from migrate.model import Directory
from migrate.reports.spelling import Json, dumps


def render(report: Sequence[Directory], /) -> str:
    directories: list[Json] = [
        {
            "repository": one.repo,
            "path": str(one.path),
            "status": one.status,
            "why": one.why or None,
            "command": one.command or None,
            "workspace": one.workspace,
        }
        for one in report
    ]
    return dumps({"schema": "tfrelock.reinit/1", "directories": directories})
