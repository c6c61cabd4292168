"""`--quiet` and `--verbose`, and the words on standard error that they leave out or add."""

from __future__ import annotations

import math
import os
import sys
import time
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


class Progress:
    """A line on a terminal that says how far a reading is, from its second second on; gone at its end."""

    def __init__(self, what: str) -> None:
        self._what = what
        self._count = 0
        self._next = time.monotonic() + 1 if sys.stderr.isatty() and not quiet() else math.inf
        self._said = False

    def step(self) -> None:
        """One more was read."""
        self._count += 1
        now = time.monotonic()
        if now >= self._next:
            click.echo(f"\r{self._what} {self._count:,}", err=True, nl=False)
            self._said, self._next = True, now + 0.2

    def end(self) -> None:
        if self._said:
            click.echo("\r\x1b[K", err=True, nl=False)


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
