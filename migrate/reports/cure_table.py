"""The least change of live policies for a terminal: whose it is, how to put it and take it back, the diff."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from migrate.patch import diff
from migrate.reports.spelling import counted, printable
from migrate.weighed import Cured, LiveChange

_SHOWN: Final = 5


def render(report: Cured, /) -> str:
    return "".join(_parts(report))


def _parts(report: Cured) -> Iterator[str]:
    for change in report.changes:
        yield from (f"# {printable(line)}\n" for line in _head(change))
        yield diff(change.before or "", change.after, change.file)
    for refusal in report.refusals:
        yield f"# refused {printable(refusal.where.path)}: {printable(refusal.why)} → {refusal.remedy}\n"
    if not report.changes and not report.refusals:
        yield "# no policy has to change: nobody who is known to fail at a lock was found\n"
    if report.untold:
        more = len(report.untold) - _SHOWN
        names = ", ".join(printable(state) for state in report.untold[:_SHOWN])
        rest = f" and {counted(more, 'more state')}" if more > 0 else ""
        yield f"# not known who locks {names}{rest}: no policy that was read lets anybody write there\n"
    yield from (f"# {printable(note)}\n" for note in report.notes)


def _head(change: LiveChange) -> Iterator[str]:
    new = "" if change.before else ", new"
    yield f"{change.name} in account {change.account}{new}: {_holders(change)}"
    yield from (f"  {command}" for command in change.commands)
    yield from (f"  back: {command}" for command in change.undo)


def _holders(change: LiveChange) -> str:
    if not change.holders:
        return "of everybody whom it names"
    more = len(change.holders) - _SHOWN
    rest = f" and {counted(more, 'more holder')}" if more > 0 else ""
    return f"of {', '.join(change.holders[:_SHOWN])}{rest}"
