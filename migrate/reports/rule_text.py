"""Why a rule exists and what to do about it, as `explain` prints it and other formats quote it."""

from __future__ import annotations

from migrate.reports.spelling import wrapped
from migrate.rules import ALL
from migrate.steps import STEPS


def render(rule: str, /) -> str:
    """The text of a rule, by its name."""
    about, gated = ALL[rule], gates(rule)
    head = f"{rule} ({'gate of ' + ', '.join(gated) if gated else about.SEVERITY})"
    parts = [head, f"Why\n{_paragraph(about.WHY)}", f"Remedy\n{_paragraph(about.REMEDY)}"]
    holds = list(dict.fromkeys([*gated, *about.BLOCKS]))
    return "\n\n".join([*parts, *([f"Holds back: {', '.join(holds)}"] if holds else [])])


def gates(rule: str) -> list[str]:
    """The phases that a rule is a gate of."""
    return [step.phase for step in STEPS if any(gate.name == rule for gate in step.gates)]


def _paragraph(text: str) -> str:
    return wrapped(text, "  ", 2)
