"""Runs a command, and is the one place that turns errors into words and exit codes."""

import errno
import gc
import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from contextvars import copy_context
from importlib import import_module
from typing import Final

import click

from migrate import __version__
from migrate.cli import COMMANDS
from migrate.cli.exits import Exit
from migrate.cli.group import Group
from migrate.errors import RelockError

_MANY: Final = 1_000_000
_UNWRITABLE: Final = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.EBADF)
"""What the system says of a stream that takes no more."""


class LazyGroup(Group):
    """A group that imports a command's module when the command is run, not when it is listed."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        command = import_module(COMMANDS[cmd_name].module).command
        if not isinstance(command, click.Command):
            raise TypeError(f"{COMMANDS[cmd_name].module}.command is no click command")
        return command

    def summary(self, name: str) -> str:
        return COMMANDS[name].summary


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="tfrelock", message="%(prog)s %(version)s")
def relock() -> None:
    """Move Terraform S3 backends from DynamoDB table locks to S3 lockfiles.

    Nothing is changed unless you say so: files with --write, remotes and AWS with --yes.
    """


def run(command: click.Command, arguments: Sequence[str] | None = None) -> int:
    """Run one command line (`sys.argv` by default) in a context of its own, and give its exit code."""
    try:
        outcome = copy_context().run(command.main, arguments, prog_name="tfrelock", standalone_mode=False)
    except click.Abort:
        click.echo("tfrelock: interrupted", err=True)
        return Exit.INTERRUPTED
    except click.ClickException as error:
        error.show()
        return Exit.USAGE if isinstance(error, click.UsageError) else Exit.ERROR
    except RelockError as error:
        click.echo(f"tfrelock: {error}", err=True)
        return Exit.ERROR
    except SystemExit:  # how click ends where the reader of a pipe is gone
        return _unheard("standard output was closed before everything was said; stopped there")
    except OSError as error:
        if error.filename is not None or error.errno not in _UNWRITABLE:
            raise
        why = os.strerror(error.errno).lower()
        return _unheard(f"standard output: cannot be written: {why}\n  try: send it elsewhere")
    return outcome if isinstance(outcome, int) else Exit.OK


def _unheard(why: str) -> Exit:
    """Standard error may be gone as well, and then there is nobody to tell."""
    with suppress(OSError):
        click.echo(f"tfrelock: {why}", err=True)
    sys.stdout = sys.stderr = None  # what they still hold is not tried again on the way out
    return Exit.ERROR


def main() -> int:
    """Run the command line of `sys.argv`, as a process of its own, and give its exit code."""
    # Hardly any of a run's many values hold one another: to look for those takes a twentieth of its time.
    gc.set_threshold(_MANY)
    code = run(relock)
    gc.freeze()  # nor are they looked through on the way out
    return code
