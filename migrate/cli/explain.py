"""`tfrelock explain`: why a rule exists, what a class of locks means, what each release of an engine does."""

from __future__ import annotations

import difflib
import sys
import textwrap
from typing import Final

import click

from migrate.cli.voice import columns, with_voice
from migrate.reports import class_text, engine_table, rule_text
from migrate.rules import ALL

_ENGINES: Final = "engines"
_NAMES: Final = (*sorted(ALL), *sorted(class_text.CLASSES), _ENGINES)


def _named(context: click.Context, parameter: click.Parameter, value: str) -> str:
    if value in _NAMES:
        return value
    near = difflib.get_close_matches(value, _NAMES, 1)
    meant = f"did you mean {near[0]}?" if near else "tfrelock explain --help names them all"
    raise click.BadParameter(f"{value!r} is no rule, gate or class of a lock; {meant}")


# To be copied: no name is broken at a hyphen, and click breaks no line after \b.
_LISTED: Final = "\b\n" + textwrap.fill(f"RULE is one of: {', '.join(_NAMES)}.", 76, break_on_hyphens=False)


@with_voice
@click.command("explain", epilog=_LISTED)
@click.argument("rule", callback=_named, metavar="[RULE]", default=_ENGINES)
def command(rule: str) -> int:
    """Say why a rule exists and what to do about it.

    Without a rule, or of `engines`: what each release of Terraform, OpenTofu and Terragrunt does.
    Of a class of a lock, such as `stuck-lock`: what `iam check` means by it, and the remedy.
    """
    if rule == _ENGINES:
        text = engine_table.render(columns(sys.stdout))
    else:
        text = (class_text if rule in class_text.CLASSES else rule_text).render(rule, columns(sys.stdout))
    click.echo(text, nl=False)
    return 0
