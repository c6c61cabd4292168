"""`--quiet` and `--verbose`, and the words on standard error that they leave out or add."""

from __future__ import annotations

import os
from typing import Final, TextIO, TypeVar

import click

from migrate.cli.given import Given, dressed, given, keep
from migrate.files import printable
from migrate.outgoing import listen

C = TypeVar("C", bound=click.Command)


def _chosen(context: click.Context, parameter: click.Parameter, value: bool) -> None:  # noqa: FBT001  click's
    keep(context, parameter, value)
    said = context.ensure_object(Given)
    if said.quiet and said.verbose:
        raise click.UsageError("--quiet says less and --verbose says more: say one of them")
    if said.verbose:
        listen(_say_call)


# Eager: what other options say as they are read heeds them, too.
_OPTIONS: Final = (
    click.option(
        "--quiet",
        is_flag=True,
        is_eager=True,
        callback=_chosen,
        expose_value=False,
        help="Say on standard error only what went wrong, was refused or is held.",
    ),
    click.option(
        "--verbose",
        is_flag=True,
        is_eager=True,
        callback=_chosen,
        expose_value=False,
        help="Also say each program that is run and each request to a forge or to AWS, without secrets.",
    ),
)


def with_voice(command: C) -> C:
    """Give a command `--quiet` and `--verbose`."""
    return dressed(command, *_OPTIONS)


def columns(stream: TextIO) -> int | None:
    """How wide the terminal is that a stream leads to; None where it leads to none, or that is not known."""
    if not stream.isatty():
        return None
    said = os.environ.get("COLUMNS", "")
    if said.isdecimal() and int(said):
        return int(said)
    return os.get_terminal_size(stream.fileno()).columns or None


def quiet() -> bool:
    """Whether the running command says no hints. Asked in its own thread only."""
    return given().quiet


def hint(line: str) -> None:
    """Say what people can do without: a count, how far it is, what comes next. Not with `--quiet`."""
    if not quiet():
        click.echo(line, err=True)


def wrong(line: str) -> None:
    """Say what went wrong, was refused or is held, from any thread: `--quiet` leaves it."""
    click.echo(line, err=True)


def _say_call(call: str) -> None:
    from migrate.git.command import SAFE  # noqa: PLC0415  who does not listen need not know git

    click.echo(printable(call.replace(f"{' '.join(SAFE)} ", "")), err=True)
