"""`tfrelock explain`: why a rule exists and what to do about it; what each release of an engine does."""

from __future__ import annotations

import textwrap
from typing import Final

import click

from migrate.reports import engine_table
from migrate.rules import ALL
from migrate.steps import STEPS

_ENGINES: Final = "engines"


@click.command("explain")
@click.argument("rule", type=click.Choice([*sorted(ALL), _ENGINES]), metavar="[RULE]", default=_ENGINES)
def command(rule: str) -> int:
    """Say why a rule exists and what to do about it; without one, or of `engines`, what each release does."""
    if rule == _ENGINES:
        click.echo(engine_table.render())
        return 0
    about = ALL[rule]
    gated = [step.phase for step in STEPS if any(gate.name == rule for gate in step.gates)]
    holds = list(dict.fromkeys([*gated, *about.BLOCKS]))
    click.echo(f"{rule} ({'gate of ' + ', '.join(gated) if gated else about.SEVERITY})\n")
    click.echo(f"Why\n{_paragraph(about.WHY)}\n")
    click.echo(f"Remedy\n{_paragraph(about.REMEDY)}")
    if holds:
        click.echo(f"\nHolds back: {', '.join(holds)}")
    return 0


def _paragraph(text: str) -> str:
    return textwrap.fill(text, 100, initial_indent="  ", subsequent_indent="  ")
