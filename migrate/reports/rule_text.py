"""Why a rule exists and what to do about it, as `explain` prints it and other formats quote it."""

from __future__ import annotations

from migrate.reports.spelling import wrapped
from migrate.rules import ALL
from migrate.steps import STEPS


def render(rule: str, /) -> str:
    """The text of a rule, by its name."""
    about, gated = ALL[rule], gates(rule)
    head = f"{rule} ({'gate of ' + ', '.join(gated) if gated else about.SEVERITY})"
    told = why_and_remedy(head, about.WHY, about.REMEDY)
    holds = list(dict.fromkeys([*gated, *about.BLOCKS]))
    return f"{told}\n\nHolds back: {', '.join(holds)}" if holds else told


def why_and_remedy(head: str, why: str, remedy: str) -> str:
    """Three paragraphs."""
    return f"{head}\n\nWhy\n{wrapped(why, '  ', 2)}\n\nRemedy\n{wrapped(remedy, '  ', 2)}"


def gates(rule: str) -> list[str]:
    """The phases that a rule is a gate of."""
    return [step.phase for step in STEPS if any(gate.name == rule for gate in step.gates)]
