"""Why a rule exists and what to do about it, as `explain` prints it and other formats quote it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from migrate.reports.layout import Line, Prose, laid
from migrate.rules import ALL
from migrate.steps import STATED, STEPS

_ENTRY: Final = """\
To state it, in the file given by --config
  facts:
    - that: {}
      of: {{bucket: "acme-state-*"}}   # or state, repository, role, table; * stands for anything
      by: you@acme.example
      because: how you know
      until: YYYY-MM-DD              # the last day it holds
"""


def render(rule: str, /, columns: int | None = None) -> str:
    """The text of a rule, by its name."""
    return laid(_lines(rule), columns)


def _lines(rule: str) -> Iterator[Line]:
    about, gated = ALL[rule], gates(rule)
    head = f"{rule} ({'gate of ' + ', '.join(gated) if gated else about.SEVERITY})"
    yield from why_and_remedy(head, about.WHY, about.REMEDY)
    holds = list(dict.fromkeys([*gated, *about.BLOCKS]))
    if holds:
        yield from ("", f"Holds back: {', '.join(holds)}")
    if any(gate.name == rule and gate.accepts & STATED for step in STEPS for gate in step.gates):
        yield from ("", *_ENTRY.format(rule).splitlines())


def why_and_remedy(head: str, why: str, remedy: str) -> Iterator[Line]:
    """Three paragraphs."""
    yield from (head, "", "Why", Prose("  ", why, 2), "", "Remedy", Prose("  ", remedy, 2))


def gates(rule: str) -> list[str]:
    """The phases that a rule is a gate of."""
    return [step.phase for step in STEPS if any(gate.name == rule for gate in step.gates)]
