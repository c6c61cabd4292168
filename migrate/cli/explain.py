"""`tfrelock explain`: why a rule exists and what to do about it; what each release of an engine does."""

from __future__ import annotations

import difflib
from typing import Final

import click

from migrate.reports import engine_table, rule_text
from migrate.rules import ALL

_ENGINES: Final = "engines"
_NAMES: Final = (*sorted(ALL), _ENGINES)


def _named(context: click.Context, parameter: click.Parameter, value: str) -> str:
    if value in _NAMES:
        return value
    near = difflib.get_close_matches(value, _NAMES, 1)
    meant = f"did you mean {near[0]}?" if near else "tfrelock explain --help names them all"
    raise click.BadParameter(f"{value!r} is no rule or gate; {meant}")


@click.command("explain", epilog=f"RULE is one of: {', '.join(_NAMES)}.")
@click.argument("rule", callback=_named, metavar="[RULE]", default=_ENGINES)
def command(rule: str) -> int:
    """Say why a rule exists and what to do about it.

    Without a rule, or of `engines`: what each release of Terraform, OpenTofu and Terragrunt does.
    """
    if rule == _ENGINES:
        click.echo(engine_table.render())
        return 0
    click.echo(rule_text.render(rule))
    return 0
