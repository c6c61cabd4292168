"""Options that several commands share, kept in click's context: a command names only its own."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TypeAlias, TypeVar

import click
from msgspec import Struct

from migrate.files import Discovered

C = TypeVar("C", bound=click.Command)
Option: TypeAlias = Callable[[click.Command], object]
"""Gives a command an option."""


class Given(Struct):
    """The shared options of the running command, as they were given."""

    paths: tuple[str, ...] = ()
    only: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    config: Path | None = None
    facts: Path | None = None
    floor: str | None = None
    base_branch: tuple[str, ...] = ()
    format_: str = ""
    output: Path | None = None
    forge: str | None = None
    forge_url: str | None = None
    out: Path | None = None
    quiet: bool = False
    verbose: bool = False
    found: Discovered | None = None
    """What the PATHs lead to, once somebody asked."""


def given() -> Given:
    """What the running command was given; nothing where none runs."""
    context = click.get_current_context(silent=True)
    return context.ensure_object(Given) if context else Given()


def keep(context: click.Context, parameter: click.Parameter, value: object) -> None:
    """Put the value of an option or argument into `Given`, by its name: a callback of click."""
    setattr(context.ensure_object(Given), str(parameter.name), value)


def kept(*names: str, **how: object) -> Option:
    """An option as click has it, whose value is kept in `Given` by its name."""
    return click.option(*names, cls=None, callback=keep, expose_value=False, **how)


def dressed(command: C, *options: Option) -> C:
    """The command with these options, listed in this order."""
    for option in options:
        option(command)
    return command
