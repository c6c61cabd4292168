"""What to look at, and where the report goes: options that most commands share, each group as one value."""

from __future__ import annotations

import datetime as dt
import sys
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeVar

import click
from msgspec import Struct

from migrate.campaign.reading.narrowing import Narrowing
from migrate.cli.given import dressed, given, keep, kept
from migrate.cli.voice import columns, wrong
from migrate.files import Discovered, discover, save

if TYPE_CHECKING:
    from migrate.cli.trust import Operator
    from migrate.reports import Format

R = TypeVar("R")
C = TypeVar("C", bound=click.Command)


class Scope(Struct, frozen=True):
    """What a command looks at: what the PATHs lead to, how it is narrowed, and what the operator says."""

    discovered: Discovered
    narrowing: Narrowing
    operator: Operator
    branches: tuple[str, ...] = ()
    """Other branches that can write state."""
    exclude: tuple[str, ...] = ()
    """Globs of what is left out of every repository."""


_FILE: Final = click.Path(dir_okay=False, path_type=Path)

_PATHS: Final = click.argument("paths", nargs=-1, metavar="[PATH]...", callback=keep, expose_value=False)
_CONFIG: Final = kept(
    "--config",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    envvar="TFRELOCK_CONFIG",
    metavar="FILE",
    help="The operator's configuration. Default: tfrelock/config.yaml in your configuration folder.",
    show_envvar=True,
)
_NARROWING: Final = (
    kept(
        "--only",
        multiple=True,
        metavar="GLOB",
        help="Report and change only what matches: a path, folder or repository (repeatable).",
    ),
    kept(
        "--exclude",
        multiple=True,
        metavar="GLOB",
        help="Leave out what matches (repeatable). Gates still count what it locks.",
    ),
)
_JUDGING: Final = (
    kept(
        "--facts",
        type=click.Path(exists=True, file_okay=False, path_type=Path),
        metavar="DIR",
        help="What was seen: answers of iam check --self, and saved ones of accounts.",
    ),
    kept(
        "--floor",
        metavar="VERSION",
        help="The oldest release to admit (default: Terraform 1.11.0, OpenTofu 1.10.2).",
    ),
)
_BRANCHES: Final = kept(
    "--base-branch",
    multiple=True,
    metavar="NAME",
    help="A long-lived branch that writes state, too: a client of its own (repeatable).",
)


def with_paths(command: C) -> C:
    """Give a command `[PATH]...` and `--config`."""
    return with_config(dressed(command, _PATHS))


def with_scope(command: C) -> C:
    """Give a command `[PATH]...`, `--only`, `--exclude` and `--config`."""
    return with_narrowing(dressed(command, _PATHS))


def with_branches(command: C) -> C:
    """Give a command `--base-branch`."""
    return dressed(command, _BRANCHES)


def with_narrowing(command: C) -> C:
    """Give a command `--only`, `--exclude` and `--config`, and no PATH."""
    return with_config(dressed(command, *_NARROWING))


def with_judging(command: C) -> C:
    """Give a command that judges gates `--facts` and `--floor`."""
    return dressed(command, *_JUDGING)


def with_config(command: C) -> C:
    """Give a command `--config` alone."""
    return dressed(command, _CONFIG)


with_yes: Final = partial(click.option, "--yes/--dry-run", "writes", default=False)
"""Gives a command `--yes` and, for its absence, `--dry-run`; of both the last one holds."""


def found() -> Discovered:
    """What the PATHs of the running command lead to."""
    said = given()
    if said.found is None:
        said.found = discover(said.paths or ["."])
    return said.found


def scope(at: Discovered | None = None) -> Scope:
    """What the running command looks at: its PATHs, or `at`. RelockError when a file or floor cannot be."""
    from migrate.cli.trust import read_operator  # noqa: PLC0415  the walk of files begins before

    said, discovered = given(), at or found()
    operator = read_operator(said.config, said.facts, said.floor, dt.datetime.now(dt.UTC))
    for note in operator.notes:
        wrong(f"tfrelock: {note}")
    within = {r.id: r.within for r in discovered.repositories if r.within}
    narrowing = Narrowing(said.only, within=within)
    return Scope(discovered, narrowing, operator, said.base_branch, said.exclude)


def with_report(formats: Mapping[str, Format[R]]) -> Callable[[C], C]:
    """Give a command `--format` and `--output`; the choices are the registry, the first is the default."""
    names = list(formats)
    options = (
        kept(
            "--format",
            "format_",
            type=click.Choice(names),
            default=names[0],
            show_default=True,
            help="How to write the report.",
        ),
        kept(
            "--output",
            type=_FILE,
            metavar="FILE",
            help="Write the report to FILE.",
        ),
    )

    def decorate(command: C) -> C:
        return dressed(command, *options)

    return decorate


def write_report(formats: Mapping[str, Format[R]], report: R) -> None:
    """To standard output or to `--output`. Raises RelockError when the file cannot be written."""
    said = given()
    format_ = formats[said.format_]
    if said.output is None:
        click.echo(format_.render(report, columns(sys.stdout)), nl=False)
    else:
        save(said.output, format_.render(report).encode())
