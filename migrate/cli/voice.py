"""`--quiet` and `--verbose`, and the words on standard error that they leave out or add."""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Iterable, Iterator
from threading import current_thread, main_thread
from typing import Final, TextIO, TypeVar

import click

from migrate.cli.given import Given, dressed, given, keep
from migrate.files import printable
from migrate.outgoing import listen

C = TypeVar("C", bound=click.Command)
T = TypeVar("T")


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
        help="Say only what went wrong, was refused or is held.",
    ),
    click.option(
        "--verbose",
        is_flag=True,
        is_eager=True,
        callback=_chosen,
        expose_value=False,
        help="Also say each program that is run and each request, without secrets.",
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
    """A line on a terminal that says how far a work is, or how long it has taken, from its second second on;
    gone at its end. Inside of another one it stands in its place.

    The clock's signal writes it: a thread would be in the way of forks. So a thread beside the main one says
    nothing.
    """

    def __init__(self, what: str, of: int = 0) -> None:
        self._what, self._of = what, f" of {of:,}" if of else ""
        self._count, self._said = 0, False

    def step(self) -> None:
        """One more is done."""
        self._count += 1

    def __enter__(self) -> Progress:
        self._begun, self._watched = time.monotonic(), _watched()
        if self._watched:
            self._handler = signal.signal(signal.SIGALRM, self._say)
            self._timer = signal.setitimer(signal.ITIMER_REAL, 1, 0.2)
        return self

    def __exit__(self, *_: object) -> None:
        if self._watched:
            signal.setitimer(signal.ITIMER_REAL, *self._timer)
            signal.signal(signal.SIGALRM, self._handler)
        if self._said:
            click.echo(_WIPED, err=True, nl=False)

    def _say(self, *_: object) -> None:
        """Past Python's streams: it may come in the middle of a word on one of them."""
        far = f"{self._count:,}{self._of}" if self._count else f"{time.monotonic() - self._begun:.0f} s"
        os.write(sys.stderr.fileno(), f"\r{self._what} {far}\x1b[K".encode())
        self._said = True


_WIPED: Final = "\r\x1b[K"


def _watched() -> bool:
    """Whether somebody sees a line that is written over."""
    terminal = sys.stderr.isatty() and os.environ.get("TERM") != "dumb"
    return terminal and current_thread() is main_thread() and not quiet()


def followed(what: str, items: Iterable[T], of: int = 0) -> Iterator[T]:
    """The items, each counted as it comes; `of` so many, where that is known."""
    with Progress(what, of) as progress:
        for item in items:
            progress.step()
            yield item


def quiet() -> bool:
    """Whether the running command says no hints. Asked in its own thread only."""
    return given().quiet


def hint(line: str) -> None:
    """Say what people can do without: a count, how far it is, what comes next. Not with `--quiet`."""
    if not quiet():
        _echo(line)


def wrong(line: str) -> None:
    """Say what went wrong, was refused or is held, from any thread: `--quiet` leaves it."""
    _echo(line)


def _echo(line: str) -> None:
    """In place of a `Progress`, if one is running: then the clock is."""
    live = signal.getitimer(signal.ITIMER_REAL) != (0.0, 0.0)
    click.echo(f"{_WIPED if live else ''}{line}", err=True)


def _say_call(call: str) -> None:
    from migrate.git.command import SAFE  # noqa: PLC0415  who does not listen need not know git

    _echo(printable(call.replace(f"{' '.join(SAFE)} ", "")))
